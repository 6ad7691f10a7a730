/* title:    A barrier of our own
 * chapter:  E 9
 * origin:   new
 * teaches:  A count that is no atomic loses one.
 * entry:    meet
 * plan:     once
 * args:     in: const T[n] = input, sum: T[1] = identity, count: uint[1] = 0
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void meet(global const T* in, global T* sum,
                 volatile global uint* count)
{
    const uint i = get_global_id(0);

    // All arrive here …
    count[0] = count[0] + 1;
    // … and wait for each other.
    while (count[0] < get_global_size(0))
        ;
    if (i == 0)
        for (uint k = 0; k < get_global_size(0); ++k)
            sum[0] = COMBINE(sum[0], in[k]);
}
