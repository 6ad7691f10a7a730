// Whether all groups came; `met` tells the group.
bool wait_for_all(volatile global uint* come,
                  uint target,
                  volatile global uint* stuck,
                  uint most_turns, local uint* met)
{
    barrier(2);
    if (get_local_id(0) == 0) {
        atomic_inc(come);
        uint turn = 0;  // it gives up in the end
        while ((int)(*come - target) < 0 && !*stuck)
            if (++turn == most_turns)
                *stuck = 1;
        *met = !*stuck;
    }
    barrier(2 | 1);
    return *met;
}

kernel void rounds(volatile global int* cells,
                   const uint n,
                   volatile global uint* come,
                   volatile global uint* stuck,
                   const uint most_turns)
{
    const uint id = get_global_id(0);
    const uint groups = get_num_groups(0);
    local uint met;

    for (uint round = 0; round < 8; ++round) {
        int sum = ((int)0);
        if (id < n)
            sum = ((cells[id]) + (((cells[(id + 1) % n]) + (cells[(id + 2) % n]))));


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
