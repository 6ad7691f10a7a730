/* title:    The first pass alone
 * chapter:  A 1
 * origin:   document A, the first reduction step
 * teaches:  Half of the work-items already have nothing to do: only the even ones add their
 *           neighbour.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * every:    2
 * depth:    1
 * legal:    n <= 2147483648
 * expect:   partial
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    // The odd ones are idle, and stay so.
    if (id % 2 == 0 && id + 1 < n)
        data[id] = COMBINE(data[id], data[id + 1]);
}
