/* title:    Two groups
 * chapter:  E 9
 * origin:   new
 * teaches:  A barrier holds back one group.
 * entry:    groups
 * plan:     once
 * args:     data: T[n] = input
 * global:   n
 * local:    group
 * result:   data
 * depth:    n
 * expect:   races
 */
kernel void groups(global T* data)
{
    const uint i = get_global_id(0);
    const uint lid = get_local_id(0);

    if (lid == 0)
        data[i] = COMBINE(data[i], data[i + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    // The last item joins both sums.
    if (i == get_global_size(0) - 1)
        data[0] = COMBINE(data[0], data[i - 1]);
}
