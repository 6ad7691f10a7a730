/* title:    In place, fixed
 * chapter:  F 10
 * origin:   new
 * teaches:  Whoever comes last knows that all sums are there.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n, done: uint[1] = 0
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    log2(group) + groups
 * legal:    power_of_two(group)
 * expect:   correct
 */
// A fence for all groups: mem_fence and barrier are
// for their own group only.
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

kernel void reduce(volatile global T* data,
                   const uint n,
                   volatile global uint* done)
{
    const uint id = get_global_id(0);
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s && id + s < n)
            data[id] = COMBINE(data[id],
                               data[id + s]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }

    // The last group to come by joins the sums.
    if (lid == 0) {
        device_fence();
        const uint came = atomic_inc(done);
        device_fence();
        if (came == get_num_groups(0) - 1)
            for (uint g = L; g < n; g += L)
                data[0] = COMBINE(data[0], data[g]);
    }
}
