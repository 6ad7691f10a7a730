/* title:    sync-flags, with a value kept over barriers
 * chapter:  X 2
 * origin:   kernels/sync_flags.cl as it was
 * teaches:  PoCL 3.1 gets it right, but not with copies in it; PoCL 7.1 corrupts memory
 * entry:    rounds
 * args:     cells: T[n] = 1, n: uint = n, flags: uint[groups] = 0, stuck: uint[1] = 0,
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
 * legal:    groups <= group
 * expect:   correct if co-resident
 */
void wait_while(volatile global uint* flag, uint value,
                volatile global uint* stuck,
                uint most_turns)
{
    uint turn = 0;  // it gives up in the end
    while (*flag == value && !*stuck)
        if (++turn == most_turns)
            *stuck = 1;
}

// Whether all groups came; `met` tells the group.
bool wait_for_all(volatile global uint* flags,
                  volatile global uint* stuck,
                  uint most_turns, local uint* met)
{
    const uint lid = get_local_id(0);
    const uint group = get_group_id(0);
    const bool watches =
        group == 0 && lid < get_num_groups(0);

    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        flags[group] = 1;
    if (watches)
        wait_while(&flags[lid], 0, stuck, most_turns);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (watches)
        flags[lid] = 0;
    if (lid == 0) {
        wait_while(&flags[group], 1, stuck, most_turns);
        *met = !*stuck;
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

    for (uint round = 0; round < ROUNDS; ++round) {
        T sum = IDENTITY;
        if (id < n)
            sum = COMBINE(cells[id],
                          COMBINE(cells[(id + 1) % n],
                                  cells[(id + 2) % n]));
        if (!wait_for_all(flags, stuck, most_turns, &met))
            return;
        if (id < n)
            cells[id] = sum;
        if (!wait_for_all(flags, stuck, most_turns, &met))
            return;
    }
}
