/* title:    More elements per item
 * chapter:  B 5
 * origin:   document B, thread coarsening
 * teaches:  A work-item that adds several pairs alone, without a barrier, leaves fewer groups,
 *           fewer barriers and fewer atomics.
 * after:    groups-atomic
 * gain:     gpu 2.0, cpu 1.7
 * why:      All groups add to one cell, one after another. That takes the time, and now half as
 *           many do it. On a CPU a tree of eight turns per item serves four elements instead of
 *           two: 3 turns per element instead of 5.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, out: T[1] = identity, buf: local T[group]
 * global:   div_up(n, 2 * COARSEN * group) * group
 * local:    group
 * result:   out
 * depth:    2 * COARSEN + log2(group) + groups
 * legal:    power_of_two(group)
 * needs:    atomics
 * toggle:   COARSEN = 2, 1, 4, 8, 16
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // COARSEN pairs each: no item waits for another.
    T mine = IDENTITY;
    ulong i = get_group_id(0) * 2UL * COARSEN * L + lid;
    for (uint k = 0; k < 2 * COARSEN; ++k) {
        if (i < n)
            mine = COMBINE(mine, in[i]);
        i += L;
    }
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + stride]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // out = COMBINE(out, buf[0]), in one piece: tried
    // again whenever another group came first.
    if (lid == 0) {
        volatile global WORD* total =
            (volatile global WORD*)out;
        WORD seen = AS_WORD(IDENTITY);
        WORD old;
        do {
            old = seen;
            const T sum = COMBINE(AS_T(old),
                                  buf[0]);
            seen = CMPXCHG(total, old, AS_WORD(sum));
        } while (seen != old);
    }
}
