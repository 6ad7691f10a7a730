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
    const uint i = get_global_id(0);
    if (i >= n)
        return;

    T own = in[i];
    if (i + 1 < n) {
        while (atomic_or(&ready[i + 1], 0) == 0)
            ;  // my neighbour is not done yet
        device_fence();
        own = COMBINE(own, sum[i + 1]);
    }
    sum[i] = own;
    device_fence();
    atomic_xchg(&ready[i], 1);
}
