/* title:    The greatest so far
 * chapter:  E 9
 * origin:   new
 * teaches:  To look and then to store are two actions.
 * entry:    best
 * plan:     once
 * args:     in: const T[n] = input, best: T[1] = identity
 * global:   n
 * local:    n
 * result:   best
 * depth:    n
 * expect:   races
 */
kernel void best(global const T* in, global T* best)
{
    const uint i = get_global_id(0);

    if (in[i] > best[0])
        best[0] = in[i];
}
