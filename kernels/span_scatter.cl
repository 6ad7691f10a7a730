/* title:    Half the items, spread out
 * chapter:  A 3
 * origin:   document A, n / 2 items and pos = id * span
 * teaches:  No modulo and half as many work-items: each finds its cell by a product. The groups
 *           still do not wait for each other.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(max(1, n / 2), group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * legal:    n <= 1073741824
 * toggle:   BARRIER = none, group
 * expect:   races when BARRIER=none or groups > 1
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span / 2 < n; span *= 2) {
        // 64 bits: in 32 the product starts anew
        // at 0 once n exceeds 65536.
        const ulong pos = (ulong)id * span;
        const ulong other = pos + span / 2;
        if (other < n)
            data[pos] = COMBINE(data[pos],
                                data[other]);
#if BARRIER
        barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    }
}
