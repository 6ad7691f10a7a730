/* title:    Kernel L
 * chapter:  F 10
 * origin:   new
 * teaches:  The built-in function does all the work.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    group
 * needs:    group-collectives
 * legal:    group > 1 && op != product
 * expect:   correct
 */
#define GROUP_REDUCE WITH_OPERATOR(work_group_reduce_)

kernel void reduce(global const T* in, const ulong n,
                   global T* out)
{
    const ulong i = get_global_id(0);

    const T own = i < n ? in[i] : IDENTITY;
    const T all = GROUP_REDUCE(own);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = all;
}
