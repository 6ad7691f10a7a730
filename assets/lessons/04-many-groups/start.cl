/* title:    Many groups, one cell
 * chapter:  B 4
 * origin:   document B, several blocks, without its atomicAdd
 * teaches:  Every group adds its sum to one cell, and nobody has the cell alone.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1] = 0, buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    1 + log2(group) + groups
 * legal:    power_of_two(group)
 * legal:    op == add && floating
 * expect:   races when groups > 1
 */
kernel void reduce(global const float* in, const uint n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint i = get_group_id(0) * 2 * L + lid;

    float mine = 0;
    if (i < n)
        mine = in[i];
    if (i + L < n)
        mine += in[i + L];
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] += buf[lid + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // All groups add to the same cell.
    if (lid == 0)
        *out += buf[0];
}
