/* title:    All passes in one launch
 * chapter:  A 2
 * origin:   document A, the loop over span_len
 * teaches:  A barrier orders the work-items of one group. Nothing here orders two groups: one may
 *           add what the other has not finished.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * legal:    n <= 1073741824
 * toggle:   BARRIER = none, group
 * expect:   races when BARRIER=none or groups > 1
 * pair:     relaunch */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span / 2 < n; span *= 2) {
        const uint other = id + span / 2;
        if (id % span == 0 && other < n)
            data[id] = COMBINE(data[id],
                               data[other]);
#if BARRIER
        // Who waits here, and for whom?
        barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    }
}
