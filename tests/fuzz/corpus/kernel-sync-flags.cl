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

    barrier(2);
    if (lid == 0)
        flags[group] = 1;
    if (watches)
        wait_while(&flags[lid], 0, stuck, most_turns);
    barrier(2);
    if (watches)
        flags[lid] = 0;
    if (lid == 0) {
        wait_while(&flags[group], 1, stuck, most_turns);
        *met = !*stuck;
    }
    barrier(2 | 1);
    return *met;
}

kernel void rounds(volatile global int* cells,
                   const uint n,
                   volatile global uint* flags,
                   volatile global uint* stuck,
                   const uint most_turns)
{
    const uint id = get_global_id(0);
    local uint met;

    for (uint round = 0; round < 8; ++round) {
        int sum = ((int)0);
        if (id < n)
            sum = ((cells[id]) + (((cells[(id + 1) % n]) + (cells[(id + 2) % n]))));


        if (!wait_for_all(flags, stuck, most_turns, &met))
            return;
        if (id < n)
            cells[id] = sum;
        if (!wait_for_all(flags, stuck, most_turns, &met))
            return;
    }
}
