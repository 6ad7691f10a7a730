/* title:    Sub-groups
 * chapter:  F 3
 * origin:   new
 * teaches:  The lanes of one sub-group add up by one function, on a GPU from register to register:
 *           no local memory and no barrier until the sub-groups meet.
 * after:    ladder-3-sequential
 * gain:     gpu 2.8
 * why:      Five exchanges between registers take the place of a tree with eight barriers: one
 *           barrier and some 230 instructions per group instead of 640. The loads are the same.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    2 * log2(group) + group
 * legal:    group > 1
 * legal:    op != product
 * needs:    sub-groups
 * expect:   correct
 */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
// sub_group_reduce_add, or another operator's.
#define SUB_GROUP_REDUCE \
    WITH_OPERATOR(sub_group_reduce_)

kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lane = get_sub_group_local_id();
    const ulong i = get_global_id(0);

    T sum = i < n ? in[i] : IDENTITY;
    sum = SUB_GROUP_REDUCE(sum);
    if (lane == 0)
        buf[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    // The first sub-group joins them all.
    if (get_sub_group_id() == 0) {
        const uint lanes = get_sub_group_size();
        sum = IDENTITY;
        for (uint s = lane; s < get_num_sub_groups();
             s += lanes)
            sum = COMBINE(sum, buf[s]);
        sum = SUB_GROUP_REDUCE(sum);
        if (lane == 0)
            out[get_group_id(0)] = sum;
    }
}
