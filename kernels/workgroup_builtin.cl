/* title:    The library's own
 * chapter:  F 4
 * origin:   new
 * teaches:  OpenCL 2.0 has the whole group's reduction as one function; how it works inside is up
 *           to the driver.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    group
 * legal:    group > 1
 * legal:    op != product
 * needs:    group-collectives
 * expect:   correct
 */
// work_group_reduce_add, or another operator's.
#define GROUP_REDUCE WITH_OPERATOR(work_group_reduce_)

kernel void reduce(global const T* in, const ulong n,
                   global T* out)
{
    const ulong i = get_global_id(0);
    const T mine = i < n ? in[i] : IDENTITY;

    const T total = GROUP_REDUCE(mine);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = total;
}
