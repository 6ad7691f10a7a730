/* title:    Two locks
 * chapter:  E 9
 * origin:   new
 * teaches:  Each holds one lock and waits for the other.
 * entry:    two_locks
 * plan:     once
 * args:     in: const T[n] = input, sum: T[1] = identity, lock: uint[2] = 0
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void two_locks(global const T* in, global T* sum,
                      global uint* lock)
{
    const uint i = get_global_id(0);

    // Item 0 takes lock 0 first, item 1 lock 1.
    while (atomic_cmpxchg(&lock[i], 0, 1) != 0)
        ;
    while (atomic_cmpxchg(&lock[1 - i], 0, 1) != 0)
        ;
    sum[0] = COMBINE(sum[0], in[i]);
    atomic_xchg(&lock[1 - i], 0);
    atomic_xchg(&lock[i], 0);
}
