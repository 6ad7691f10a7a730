/* title:    A lock that works
 * chapter:  E 9
 * origin:   new
 * teaches:  Under a lock there is no race, and still an order.
 * entry:    locked
 * plan:     once
 * args:     in: const T[n] = input, sum: T[1] = identity, lock: uint[1] = 0
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void locked(global const T* in, global T* sum,
                   global uint* lock)
{
    const uint i = get_global_id(0);

    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    sum[0] = 10 * sum[0] + in[i];
    atomic_xchg(lock, 0);
}
