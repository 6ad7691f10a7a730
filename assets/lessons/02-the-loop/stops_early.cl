/* title:    A loop that stops early
 * chapter:  A 1
 * origin:   document A
 * teaches:  The last span has to reach the last number, even where the array ends before the
 *           span does.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * expect:   races
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span <= n; span *= 2) {
        const uint other = id + span / 2;
        if (id % span == 0 && other < n)
            data[id] = COMBINE(data[id],
                               data[other]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
