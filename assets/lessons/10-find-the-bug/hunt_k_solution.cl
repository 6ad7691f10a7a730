/* title:    Kernel K
 * chapter:  F 10
 * origin:   new
 * teaches:  Each adds its number to what its neighbour has.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, sum: T[n], ready: uint[n] = 0
 * global:   round_up(n, group)
 * local:    group
 * result:   sum
 * depth:    n
 * group:    2
 * expect:   correct
 */
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

kernel void reduce(global const T* in, const uint n,
                   global T* sum, global uint* ready)
{
    const uint first = get_global_id(0);
    if (get_local_id(0) > 0)
        return;

    const uint groups = get_num_groups(0);
    const uint end = min(first + (uint)get_local_size(0), n);
    T own = IDENTITY;
    for (uint i = first; i < end; ++i)
        own = COMBINE(own, in[i]);
    sum[get_group_id(0)] = own;
    device_fence();
    const uint before = atomic_inc(&ready[0]);
    device_fence();
    if (before + 1 < groups)
        return;  // others are still to come

    for (uint g = 1; g < groups; ++g)
        sum[0] = COMBINE(sum[0], sum[g]);
}
