/* title:    Many groups, one cell, one at a time
 * chapter:  B 4
 * origin:   document B, several blocks and atomicAdd
 * teaches:  A compare-exchange tells whether another group came first.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1] = 0, buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    1 + log2(group) + groups
 * legal:    power_of_two(group)
 * legal:    op == add && floating
 * expect:   correct
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

    // Written only if nobody came in between.
    if (lid == 0) {
        volatile global uint* cell =
            (volatile global uint*)out;
        uint seen = as_uint(0.0f);
        uint old;
        do {
            old = seen;
            const float sum = as_float(old) + buf[0];
            seen = atomic_cmpxchg(cell, old, as_uint(sum));
        } while (seen != old);
    }
}
