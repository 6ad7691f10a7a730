// Whether all work-items came.
bool wait_for_all(volatile global uint* come, uint target,
                  volatile global uint* stuck,
                  uint most_turns)
{
    mem_fence(2);
    atomic_inc(come);
    uint turn = 0;  // it gives up in the end
    while ((int)(*come - target) < 0 && !*stuck)
        if (++turn == most_turns)
            *stuck = 1;
    return !*stuck;
}

kernel void rounds(volatile global int* cells,
                   const uint n,
                   volatile global uint* come,
                   volatile global uint* stuck,
                   const uint most_turns)
{
    const uint id = get_global_id(0);
    const uint size = get_global_size(0);

    for (uint round = 0; round < 8; ++round) {
        int sum = ((int)0);
        if (id < n)
            sum = ((cells[id]) + (((cells[(id + 1) % n]) + (cells[(id + 2) % n]))));


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
