/* title:    The active count halves
 * chapter:  A 4
 * origin:   document A, the active count halves in each pass
 * teaches:  Counting the pairs that are left keeps every index small, and the active work-items
 *           side by side. The groups still do not wait for each other.
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
    uint cells = n;  // that still hold a part

    for (uint span = 2; span / 2 < n; span *= 2) {
        // A pair for each active item; an odd cell
        // at the end waits for the next pass.
        if (id < cells / 2) {
            const uint pos = id * span;
            const uint other = pos + span / 2;
            data[pos] = COMBINE(data[pos],
                                data[other]);
        }
        cells = (cells + 1) / 2;
#if BARRIER
        barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    }
}
