/* title:    A product of eight bits
 * chapter:  A 1
 * origin:   document A
 * teaches:  A product that is too wide for its type starts anew at 0, and a second item lands on
 *           the same cell.
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

    for (uint span = 2; span / 2 < n; span *= 2) {
        // Eight bits hold 0 to 255.
        const uchar pos = id * span;
        const uint other = pos + span / 2;
        if (other < n)
            data[pos] = COMBINE(data[pos],
                                data[other]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
