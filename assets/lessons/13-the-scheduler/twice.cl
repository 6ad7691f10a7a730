/* title:    Checked twice
 * chapter:  E 9
 * origin:   new
 * teaches:  The first look is outside the lock.
 * entry:    twice
 * plan:     once
 * args:     in: const T[n] = input, value: T[1] = identity, sum: T[1] = identity, lock: uint[1] = 0, ready: uint[1] = 0
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void twice(global const T* in, global T* value,
                  global T* sum, global uint* lock,
                  global uint* ready)
{
    const uint i = get_global_id(0);

    if (ready[0] == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        if (ready[0] == 0) {
            ready[0] = 1;
            value[0] = COMBINE(in[0], in[1]);
        }
        atomic_xchg(lock, 0);
    }
    // Item 1 takes it.
    if (i == 1)
        sum[0] = value[0];
}
