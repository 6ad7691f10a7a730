/* title:    A barrier wherever one fits
 * chapter:  A 1
 * origin:   document A
 * teaches:  However many barriers a group has, they hold that group only.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * expect:   races when groups > 1
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span / 2 < n; span *= 2) {
        const uint other = id + span / 2;
        const bool adds = id % span == 0 && other < n;
        T mine = IDENTITY;
        T theirs = IDENTITY;

        barrier(CLK_GLOBAL_MEM_FENCE);
        if (adds)
            mine = data[id];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (adds)
            theirs = data[other];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (adds)
            data[id] = COMBINE(mine, theirs);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
