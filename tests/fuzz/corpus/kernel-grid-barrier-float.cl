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

kernel void reduce(volatile global float* data,
                   const ulong n,
                   volatile global uint* come,
                   volatile global uint* stuck,
                   const uint most_turns)
{
    const ulong id = get_global_id(0);
    const ulong items = get_global_size(0);
    uint target = 0;
    local uint met;

    for (ulong span = 2; span / 2 < n; span *= 2) {
        const ulong half_span = span / 2;
        for (ulong i = id * span; i + half_span < n;
             i += items * span)
            data[i] = fmax((data[i]), (data[i + half_span]));

        target += get_num_groups(0);
        if (!wait_for_all(come, target, stuck, most_turns,
                          &met))
            return;
    }
}
