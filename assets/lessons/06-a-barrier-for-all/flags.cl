/* title:    A flag for each group
 * chapter:  D 3
 * origin:   document D, its third barrier, unmended
 * teaches:  A group that lowers more flags than there are.
 * entry:    rounds
 * plan:     iterate
 * rounds:   ROUNDS
 * args:     cells: T[n] = 1, n: uint = n, flags: uint[groups] = 0
 * global:   round_up(n, group)
 * local:    group
 * result:   cells
 * depth:    2 * ROUNDS
 * toggle:   ROUNDS = 1, 2, 8
 * legal:    op == add
 * expect:   races
 */
void wait_for_all(volatile global uint* flags)
{
    const uint lid = get_local_id(0);
    const uint group = get_group_id(0);

    if (lid == 0)
        flags[group] = 1;
    if (group == 0) {
        if (lid < get_num_groups(0))
            while (flags[lid] == 0)
                ;
        barrier(CLK_GLOBAL_MEM_FENCE);
        flags[lid] = 0;
    }
    if (lid == 0)
        while (flags[group] == 1)
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void rounds(volatile global T* cells,
                   const uint n,
                   volatile global uint* flags)
{
    const uint id = get_global_id(0);

    for (uint round = 0; round < ROUNDS; ++round) {
        const T sum = cells[id] +
                      cells[(id + 1) % n] +
                      cells[(id + 2) % n];
        wait_for_all(flags);
        cells[id] = sum;
        if (round + 1 < ROUNDS)  // the launch ends
            wait_for_all(flags);
    }
}
