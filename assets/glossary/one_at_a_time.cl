// Who has the lock adds; the others try until it is free.
kernel void add(global const int* in,
                volatile global uint* lock,
                volatile global int* sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += in[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}
