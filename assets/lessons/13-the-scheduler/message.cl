/* title:    A message and its flag
 * chapter:  E 9
 * origin:   new
 * teaches:  Two reads in the wrong order.
 * entry:    message
 * plan:     once
 * args:     in: const T[n] = input, data: T[1] = identity, ready: uint[1] = 0, sum: T[1] = identity
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void message(global const T* in, global T* data,
                    global uint* ready, global T* sum)
{
    const uint i = get_global_id(0);

    if (i == 1) {
        data[0] = COMBINE(in[0], in[1]);
        ready[0] = 1;
    } else {
        const T early = data[0];
        if (ready[0] == 1)
            sum[0] = early;
        else
            sum[0] = COMBINE(in[0], in[1]);
    }
}
