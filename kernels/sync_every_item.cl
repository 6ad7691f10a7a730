/* title:    Everyone counts, everyone waits
 * chapter:  D 1
 * origin:   document D, the first global barrier
 * teaches:  A barrier across groups, made by hand: each work-item counts itself and waits for all.
 *           It ends only if all of them run at once, and costs an atomic each.
 * entry:    rounds
 * args:     cells: T[n] = 1, n: uint = n, come: uint[1] = 0, stuck: uint[1] = 0,
 *           most_turns: uint = choose(cpu, 67108864, 1048576)
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
 * toggle:   LOOK = atomic, volatile, plain
 * expect:   correct if co-resident; races when LOOK!=atomic
 */
#if LOOK == 3  // plain
#define WATCHED  // may be read once and remembered
#else
#define WATCHED volatile
#endif

// A group that reads an atomic after it, and then has
// a fence too, sees what stands before it. barrier and
// mem_fence promise that to their own group only.
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

#if LOOK == 1
// By an atomic that only reads: what is there now.
uint seen(volatile global uint* cell)
{
    return atomic_load_explicit(
        (volatile global atomic_uint*)cell,
        memory_order_relaxed, memory_scope_device);
}
#else  // volatile, as in document D, or plain
#define seen(cell) (*(cell))
#endif

// Whether all work-items came.
bool wait_for_all(WATCHED global uint* come, uint target,
                  WATCHED global uint* stuck,
                  uint most_turns)
{
    device_fence();
    atomic_inc(come);
    uint turn = 0;  // it gives up in the end
    while ((int)(seen(come) - target) < 0 &&
           !seen(stuck))
        if (++turn == most_turns)
            atomic_xchg(stuck, 1);
    device_fence();
    return !seen(stuck);
}

kernel void rounds(volatile global T* cells,
                   const uint n,
                   WATCHED global uint* come,
                   WATCHED global uint* stuck,
                   const uint most_turns)
{
    const uint id = get_global_id(0);
    const uint size = get_global_size(0);

    for (uint round = 0; round < ROUNDS; ++round) {
        T sum = IDENTITY;
        if (id < n)
            sum = COMBINE(cells[id],
                          COMBINE(cells[(id + 1) % n],
                                  cells[(id + 2) % n]));
        if (!wait_for_all(come, (2 * round + 1) * size,
                          stuck, most_turns))
            return;
        if (id < n)
            cells[id] = sum;
        if (!wait_for_all(come, (2 * round + 2) * size,
                          stuck, most_turns))
            return;
    }
}
