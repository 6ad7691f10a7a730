/* title:    Kernel H
 * chapter:  F 10
 * origin:   new
 * teaches:  From one half of local memory to the other.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[2 * group]
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
    const ulong i = get_global_id(0);

    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    // The pairs move to the other half and back.
    uint to = 0;
    for (uint s = L / 2; s > 0; s /= 2) {
        const uint from = to;
        to = L - from;
        if (lid < s)
            buf[to + lid] =
                COMBINE(buf[from + 2 * lid],
                        buf[from + 2 * lid + 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[to];
}
