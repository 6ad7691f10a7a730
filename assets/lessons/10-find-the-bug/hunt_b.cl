/* title:    Kernel B
 * chapter:  F 10
 * origin:   new
 * teaches:  One group takes the numbers row by row.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    div_up(n, group) + log2(group)
 * legal:    power_of_two(group) && group > 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    buf[lid] = IDENTITY;
    // Row by row, all abreast.
    for (uint i = lid; i < n; i += L) {
        buf[lid] = COMBINE(buf[lid], in[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[0] = buf[0];
}
