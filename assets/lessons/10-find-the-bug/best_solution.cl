/* title:    Best, fixed
 * chapter:  F 10
 * origin:   new
 * teaches:  Each operator starts from what changes nothing.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    2 + log2(group)
 * legal:    power_of_two(group) && group > 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    T best = IDENTITY;
    if (i < n)
        best = COMBINE(best, in[i]);
    if (i + L < n)
        best = COMBINE(best, in[i + L]);
    buf[lid] = best;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
