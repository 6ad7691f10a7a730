/* title:    Each adds its neighbour
 * chapter:  A 1
 * origin:   new
 * teaches:  One line is a load, an addition and a store, and others may come between.
 * entry:    add
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    n
 * expect:   nothing
 */
kernel void add(global T* data, const uint n)
{
    const uint i = get_global_id(0);

    if (i + 1 < n)
        data[i] = COMBINE(data[i], data[i + 1]);
}
