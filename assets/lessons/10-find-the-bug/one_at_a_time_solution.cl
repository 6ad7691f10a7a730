/* title:    One at a time, fixed
 * chapter:  F 10
 * origin:   new
 * teaches:  Who gets the lock gives it back before anybody tries again.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, lock: uint[1] = 0, out: T[1] = identity
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    n
 * group:    4
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

kernel void reduce(global const T* in, const uint n,
                   volatile global uint* lock,
                   volatile global T* out)
{
    const uint i = get_global_id(0);
    if (i >= n)
        return;

    for (bool added = false; !added; ) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            device_fence();
            out[0] = COMBINE(out[0], in[i]);
            device_fence();
            atomic_xchg(lock, 0);
            added = true;
        }
    }
}
