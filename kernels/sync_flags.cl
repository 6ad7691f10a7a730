/* title:    Flags and a first group
 * chapter:  D 3
 * origin:   document D, the third global barrier, after an article of 2012 that it cites
 * teaches:  No counter that all share: each group raises a flag, the first group watches one flag
 *           per work-item, and lowers them all to let the others go on.
 * entry:    rounds
 * args:     cells: T[n] = 1, n: uint = n, flags: uint[groups] = 0, stuck: uint[1] = 0,
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
 * legal:    groups <= group
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

void set(volatile global uint* flag, uint value)
{
    device_fence();
    atomic_xchg(flag, value);
}

// Looks by an atomic that changes nothing.
void wait_while(volatile global uint* flag, uint value,
                volatile global uint* stuck,
                uint most_turns)
{
    uint turn = 0;  // it gives up in the end
    while (atomic_or(flag, 0) == value &&
           !atomic_or(stuck, 0))
        if (++turn == most_turns)
            atomic_xchg(stuck, 1);
    device_fence();
}

// The first group watches, one flag per work-item. Asked
// each time: PoCL 7.1 loses a value kept over barriers.
bool watches(void)
{
    return get_group_id(0) == 0 &&
           get_local_id(0) < get_num_groups(0);
}

// Whether all groups came; `met` tells the group.
bool wait_for_all(volatile global uint* flags,
                  volatile global uint* stuck,
                  uint most_turns, local uint* met)
{
    const uint lid = get_local_id(0);
    const uint group = get_group_id(0);

    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        set(&flags[group], 1);
    if (watches())
        wait_while(&flags[lid], 0, stuck, most_turns);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (watches())
        set(&flags[lid], 0);
    if (lid == 0) {
        wait_while(&flags[group], 1, stuck, most_turns);
        *met = !atomic_or(stuck, 0);
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    return *met;
}

kernel void rounds(volatile global T* cells,
                   const uint n,
                   volatile global uint* flags,
                   volatile global uint* stuck,
                   const uint most_turns)
{
    const uint id = get_global_id(0);
    local uint met;

    bool go_on = true;  // one way out for all, as barriers want
    for (uint round = 0; round < ROUNDS && go_on; ++round) {
        T sum = IDENTITY;
        if (id < n)
            sum = COMBINE(cells[id],
                          COMBINE(cells[(id + 1) % n],
                                  cells[(id + 2) % n]));
        go_on = wait_for_all(flags, stuck, most_turns, &met);
        if (go_on && id < n)
            cells[id] = sum;
        go_on = wait_for_all(flags, stuck, most_turns, &met);
    }
}
