/* title:    Step 3: sequential cells
 * chapter:  E 3
 * origin:   document E, improvement 3
 * teaches:  Halving the stride instead of doubling it: neighbours use neighbouring cells, each in
 *           a bank of its own.
 * after:    ladder-2-strided
 * gain:     gpu 1.2, cpu 1.0
 * why:      Without bank conflicts local memory takes 45 turns per group instead of 150, of some
 *           740 in all. The warps, the passes and the barriers are the same. A CPU has no banks:
 *           the same 9 turns per element.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group)
 * legal:    group > 1 && power_of_two(group)
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

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
