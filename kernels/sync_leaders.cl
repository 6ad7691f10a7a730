/* title:    Only leaders count
 * chapter:  D 2
 * origin:   document D, the second global barrier
 * teaches:  One work-item per group counts and waits; the group's own barrier holds the others.
 *           Far fewer atomics, the same condition: every group must be running.
 * entry:    rounds
 * args:     cells: T[n] = 1, n: uint = n, come: uint[1] = 0, stuck: uint[1] = 0,
 *           most_turns: uint = choose(cpu, 16777216, 1048576)
 * plan:     iterate
 * rounds:   ROUNDS
 * global:   round_up(n, group)
 * local:    group
 * result:   cells
 * stuck:    stuck
 * depth:    2 * ROUNDS
 * toggle:   ROUNDS = 8, 1, 64, 1000, 500000
 * legal:    n <= 2147483648
 * legal:    op == add
 * legal:    !floating || ROUNDS <= 64
 * expect:   correct if co-resident
 */
// A group that reads an atomic after it, and then has
// a fence too, sees what stands before it. barrier and
// mem_fence promise that to their own group only.
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

// Whether all groups came; `met` tells the group.
bool wait_for_all(volatile global uint* come,
                  uint target,
                  volatile global uint* stuck,
                  uint most_turns, local uint* met)
{
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        device_fence();
        atomic_inc(come);
        // It looks by an atomic that changes nothing,
        // and gives up in the end.
        uint turn = 0;
        while ((int)(atomic_or(come, 0) - target) < 0 &&
               !atomic_or(stuck, 0))
            if (++turn == most_turns)
                atomic_xchg(stuck, 1);
        *met = !atomic_or(stuck, 0);
        device_fence();
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    return *met;
}

kernel void rounds(volatile global T* cells,
                   const uint n,
                   volatile global uint* come,
                   volatile global uint* stuck,
                   const uint most_turns)
{
    const uint id = get_global_id(0);
    const uint groups = get_num_groups(0);
    local uint met;

    for (uint round = 0; round < ROUNDS; ++round) {
        T sum = IDENTITY;
        if (id < n)
            sum = COMBINE(cells[id],
                          COMBINE(cells[(id + 1) % n],
                                  cells[(id + 2) % n]));
        if (!wait_for_all(come, (2 * round + 1) * groups,
                          stuck, most_turns, &met))
            return;
        if (id < n)
            cells[id] = sum;
        if (!wait_for_all(come, (2 * round + 2) * groups,
                          stuck, most_turns, &met))
            return;
    }
}
