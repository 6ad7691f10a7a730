/* title:    Step 2: strided index
 * chapter:  E 2
 * origin:   document E, improvement 2
 * teaches:  The active work-items are the first ones now, so whole warps finish. But their cells
 *           lie 2, 4, 8 apart and meet in the same banks.
 * after:    ladder-1-modulo
 * gain:     gpu 2.7, cpu 1.0
 * why:      The modulo costs about 20 instructions, in every warp, in every pass: without it a
 *           group issues 740 instead of 2020. Local memory gains nothing: the conflicts in its
 *           banks take as many turns, 150 per group, as the scattered lanes did. A CPU takes a
 *           turn for each idle item too: 9 per element, before and after.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group)
 * legal:    group > 1
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

    for (uint s = 1; s < L; s *= 2) {
        const uint at = 2 * s * lid;
        if (at + s < L)
            buf[at] = COMBINE(buf[at], buf[at + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
