// The first item of each group counts itself, and waits
// until all groups have come.
kernel void wait(volatile global uint* come)
{
    if (get_local_id(0) != 0)
        return;
    atomic_inc(come);
    while (*come < get_num_groups(0))
        ;
}
