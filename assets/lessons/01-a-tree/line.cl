/* title:    A line
 * chapter:  A 1
 * origin:   new
 * teaches:  One work-item adds up everything, one number after another.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   group
 * local:    group
 * result:   data
 * depth:    n
 * expect:   correct
 */
kernel void reduce(global T* data, const uint n)
{
    // The first item does it all.
    if (get_global_id(0) == 0)
        for (uint i = 1; i < n; ++i)
            data[0] = COMBINE(data[0], data[i]);
}
