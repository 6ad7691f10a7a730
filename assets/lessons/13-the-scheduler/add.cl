/* title:    Everyone adds
 * chapter:  E 9
 * origin:   new
 * teaches:  A load and a store are two actions.
 * entry:    add
 * plan:     once
 * args:     in: const T[n] = input, sum: T[1] = identity
 * global:   n
 * local:    n
 * result:   sum
 * depth:    n
 * expect:   races
 */
kernel void add(global const T* in, global T* sum)
{
    const uint i = get_global_id(0);

    sum[0] = COMBINE(sum[0], in[i]);
}
