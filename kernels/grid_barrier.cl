/* title:    One launch, a barrier for all
 * chapter:  D 4
 * origin:   document D, its barrier in the reduction of document A
 * teaches:  All passes in one launch and right: between them every group waits for every other. It
 *           takes no more groups than can run at once.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: ulong = n, come: uint[1] = 0, stuck: uint[1] = 0,
 *           most_turns: uint =
 *           min(4294967295, choose(cpu, 16777216 + 8 * n, 1048576 + n / 16))
 * global:   min(units, max(1, div_up(n, 2 * group))) * group
 * local:    group
 * result:   data
 * stuck:    stuck
 * depth:    log2(n)
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

// Whether all groups came; `met` tells the group.
bool wait_for_all(volatile global uint* come,
                  uint target,
                  volatile global uint* stuck,
                  uint most_turns, local uint* met)
{
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        device_fence();
        atomic_inc(come);
        // It looks by an atomic that changes nothing,
        // and gives up in the end.
        uint turn = 0;
        while ((int)(atomic_or(come, 0) - target) < 0 &&
               !atomic_or(stuck, 0))
            if (++turn == most_turns)
                atomic_xchg(stuck, 1);
        *met = !atomic_or(stuck, 0);
        device_fence();
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    return *met;
}

kernel void reduce(volatile global T* data,
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
            data[i] = COMBINE(data[i],
                              data[i + half_span]);
        target += get_num_groups(0);
        if (!wait_for_all(come, target, stuck, most_turns,
                          &met))
            return;
    }
}
