/* title:    Leaders count on and on
 * chapter:  D 2
 * origin:   new
 * teaches:  Everyone waits before the leader counts, and the count only grows.
 * entry:    rounds
 * plan:     iterate
 * rounds:   ROUNDS
 * args:     cells: T[n] = 1, n: uint = n, come: uint[1] = 0
 * global:   round_up(n, group)
 * local:    group
 * result:   cells
 * depth:    2 * ROUNDS
 * toggle:   ROUNDS = 2, 1, 8
 * legal:    op == add
 * expect:   correct if co-resident
 */
// A fence for all groups: mem_fence and barrier are
// for their own group only.
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

void wait_for_all(volatile global uint* come,
                  const uint target)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        device_fence();
        atomic_inc(come);
        // An atomic that changes nothing: it looks.
        while (atomic_or(come, 0) < target)
            ;
        device_fence();
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void rounds(volatile global T* cells,
                   const uint n,
                   volatile global uint* come)
{
    const uint id = get_global_id(0);
    const uint groups = get_num_groups(0);

    for (uint round = 0; round < ROUNDS; ++round) {
        const T sum = cells[id] +
                      cells[(id + 1) % n] +
                      cells[(id + 2) % n];
        wait_for_all(come, (2 * round + 1) * groups);
        cells[id] = sum;
        if (round + 1 < ROUNDS)  // the launch ends
            wait_for_all(come, (2 * round + 2) * groups);
    }
}
