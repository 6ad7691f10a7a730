/* title:    Looked at once
 * chapter:  D 1
 * origin:   new: what a compiler may make of the second barrier without volatile
 * teaches:  Without volatile one look may stand for all.
 * entry:    rounds
 * plan:     iterate
 * rounds:   ROUNDS
 * args:     cells: T[n] = 1, n: uint = n, come: uint[1] = 0
 * global:   round_up(n, group)
 * local:    group
 * result:   cells
 * depth:    2 * ROUNDS
 * toggle:   ROUNDS = 1, 2, 8
 * legal:    op == add
 * expect:   races
 */
void wait_for_all(volatile global uint* come,
                  volatile local uint* seen)
{
    const uint groups = get_num_groups(0);

    if (get_local_id(0) == 0) {
        atomic_inc(come);
        *seen = *come;  // looked at only once
        while (*seen != groups)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        atomic_sub(come, groups);
}

kernel void rounds(volatile global T* cells,
                   const uint n,
                   volatile global uint* come)
{
    const uint id = get_global_id(0);
    local uint seen;  // … and remembered

    for (uint round = 0; round < ROUNDS; ++round) {
        const T sum = cells[id] +
                      cells[(id + 1) % n] +
                      cells[(id + 2) % n];
        wait_for_all(come, &seen);
        cells[id] = sum;
        if (round + 1 < ROUNDS)  // the launch ends
            wait_for_all(come, &seen);
    }
}
