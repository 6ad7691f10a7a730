// A fence for all groups: mem_fence and barrier are
// for their own group only.
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

// Who has the lock adds; the others try until it is free.
kernel void add(global const int* in,
                volatile global uint* lock,
                volatile global int* sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    device_fence();
    sum[0] += in[get_global_id(0)];
    device_fence();
    atomic_xchg(lock, 0);
}
