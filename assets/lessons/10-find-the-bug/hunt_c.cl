/* title:    Kernel C
 * chapter:  F 10
 * origin:   new
 * teaches:  Full groups need not ask for each number.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group)
 * legal:    power_of_two(group) && group > 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong first = get_group_id(0) * L;

    if (first + L <= n) {
        buf[lid] = in[first + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        buf[lid] = lid < n - first ? in[first + lid]
                                   : IDENTITY;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
