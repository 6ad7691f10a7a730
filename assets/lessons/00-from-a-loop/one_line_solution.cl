/* title:    A share each
 * chapter:  A 1
 * origin:   new
 * teaches:  The items add up a share each, and the first one joins their sums.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, sums: T[group] = identity
 * global:   group
 * local:    group
 * result:   sums
 * depth:    n
 * legal:    n >= group
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* sums)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // A share for each item: every L-th number.
    T sum = in[lid];
    for (uint i = lid + L; i < n; i += L)
        sum = COMBINE(sum, in[i]);
    sums[lid] = sum;

    // All sums are there before one is read.
    barrier(CLK_GLOBAL_MEM_FENCE);

    // The first item joins the sums.
    if (lid == 0)
        for (uint k = 1; k < L; ++k)
            sums[0] = COMBINE(sums[0], sums[k]);
}
