/* title:    Pairs without a barrier
 * chapter:  E 9
 * origin:   new
 * teaches:  One item needs what the other one leaves.
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
    // Item 0 joins both sums.
    if (i == 0)
        data[0] = COMBINE(data[0], data[2]);
}
