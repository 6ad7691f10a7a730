/* title:    Kernel A
 * chapter:  F 10
 * origin:   new
 * teaches:  Pairs of neighbours move to the front.
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
    const ulong i = get_global_id(0);

    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    // Pairs move together, to the front of buf.
    for (uint s = L / 2; s > 0; s /= 2) {
        T pair = IDENTITY;
        if (lid < s)
            pair = COMBINE(buf[2 * lid],
                           buf[2 * lid + 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s)
            buf[lid] = pair;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
