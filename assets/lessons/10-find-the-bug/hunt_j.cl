/* title:    Kernel J
 * chapter:  F 10
 * origin:   new
 * teaches:  The group that is done last joins all parts.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, part: T[groups], done: uint[1] = 0, out: T[1], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    2 * log2(group)
 * legal:    power_of_two(group) && group > 1 && n <= group * group
 * expect:   correct
 */
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

kernel void reduce(global const T* in, const ulong n,
                   global T* part, global uint* done,
                   global T* out, local T* buf)
{
    local uint came;
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

    if (lid == 0) {
        part[get_group_id(0)] = buf[0];
        device_fence();
        came = atomic_inc(done);
        device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (came + 1 < groups)
        return;

    // The last group joins: item k takes part[k].
    buf[lid] = lid < groups ? part[lid] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[0] = buf[0];
}
