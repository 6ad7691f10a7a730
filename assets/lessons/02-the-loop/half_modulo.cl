/* title:    Half the items, still modulo
 * chapter:  A 1
 * origin:   document A
 * teaches:  With n / 2 items a modulo reaches the first half of the cells only.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n / 2, group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * expect:   races
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    // n / 2 items now, and the same condition.
    for (uint span = 2; span / 2 < n; span *= 2) {
        const uint other = id + span / 2;
        if (id % span == 0 && other < n)
            data[id] = COMBINE(data[id],
                               data[other]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
