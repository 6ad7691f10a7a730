/* title:    A lock at closing time
 * chapter:  E 9
 * origin:   new
 * teaches:  Lanes that keep step cannot wait for each other.
 * entry:    closing
 * plan:     once
 * args:     in: const T[n] = input, sum: T[1] = identity, lock: uint[1] = 0, open: uint[1] = 0
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void closing(global const T* in, global T* sum,
                    global uint* lock, volatile global uint* open)
{
    const uint i = get_global_id(0);

    if (i < 2) {
        open[0] = 1;
        open[0] = 0;
    } else if (open[0] == 1) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        sum[0] = COMBINE(sum[0], in[i]);
        atomic_xchg(lock, 0);
    }
}
