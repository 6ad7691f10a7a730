/* title:    Tickets
 * chapter:  E 9
 * origin:   new
 * teaches:  An atomic gives each a number of its own, but not in the order of the items.
 * entry:    tickets
 * plan:     once
 * args:     in: const T[n] = input, out: T[n], next: uint[1] = 0
 * global:   n
 * local:    n
 * result:   out
 * depth:    n
 * expect:   races
 */
kernel void tickets(global const T* in, global T* out,
                    global uint* next)
{
    const uint i = get_global_id(0);

    const uint ticket = atomic_inc(next);
    // The first ticket is for the last place.
    out[get_global_size(0) - 1 - ticket] = in[i];
}
