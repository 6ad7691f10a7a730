/* title:    Everyone counts, everyone waits
 * chapter:  D 1
 * origin:   document D, the first global barrier
 * teaches:  A barrier across groups, made by hand: each work-item counts itself and waits for all.
 *           It ends only if all of them run at once; an atomic each makes it slow.
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
 * toggle:   VOLATILE = on, off
 * expect:   correct if co-resident; races when VOLATILE=off
 */
#if VOLATILE
#define WATCHED volatile
#else
#define WATCHED  // may be read once and remembered
#endif

// Whether all work-items came.
bool wait_for_all(WATCHED global uint* come, uint target,
                  WATCHED global uint* stuck,
                  uint most_turns)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(come);
    uint turn = 0;  // it gives up in the end
    while ((int)(*come - target) < 0 && !*stuck)
        if (++turn == most_turns)
            *stuck = 1;
    return !*stuck;
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
