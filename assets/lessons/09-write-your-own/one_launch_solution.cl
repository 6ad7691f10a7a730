/* title:    One launch
 * chapter:  F 9
 * origin:   new
 * teaches:  The group that draws the last ticket knows that all totals are there, and joins them.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, totals: T[groups], done: uint[1] = 0, out: T[1],
 *           buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group) + groups
 * legal:    power_of_two(group) && group > 1
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

kernel void reduce(global const T* in, const ulong n,
                   volatile global T* totals,
                   volatile global uint* done,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint groups = get_num_groups(0);
    const ulong i = get_global_id(0);

    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // The last to draw a ticket joins the totals.
    if (lid == 0) {
        totals[get_group_id(0)] = buf[0];
        device_fence();
        const uint ticket = atomic_inc(done);
        device_fence();
        if (ticket == groups - 1) {
            T sum = IDENTITY;
            for (uint g = 0; g < groups; ++g)
                sum = COMBINE(sum, totals[g]);
            out[0] = sum;
        }
    }
}
