/* title:    Pairs without a barrier
 * chapter:  E 9
 * origin:   new
 * teaches:  One item needs what the others leave.
 * entry:    pairs
 * plan:     once
 * args:     data: T[n] = input
 * global:   n / 2
 * local:    n / 2
 * result:   data
 * depth:    n
 * expect:   races
 */
kernel void pairs(global T* data)
{
    const uint i = get_global_id(0);

    // Each item joins two numbers.
    data[2 * i] = COMBINE(data[2 * i],
                          data[2 * i + 1]);
    // Item 0 joins all sums.
    if (i == 0)
        for (uint k = 1; k < get_global_size(0); ++k)
            data[0] = COMBINE(data[0], data[2 * k]);
}
