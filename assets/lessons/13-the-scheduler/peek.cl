/* title:    A lock in two steps
 * chapter:  E 9
 * origin:   new
 * teaches:  To look and to lock have to be one action.
 * entry:    peek
 * plan:     once
 * args:     in: const T[n] = input, sum: T[1] = identity, lock: uint[1] = 0
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void peek(global const T* in, global T* sum,
                 global uint* lock)
{
    const uint i = get_global_id(0);

    while (atomic_add(lock, 0) != 0)
        ;
    atomic_xchg(lock, 1);
    sum[0] = COMBINE(sum[0], in[i]);
    atomic_xchg(lock, 0);
}
