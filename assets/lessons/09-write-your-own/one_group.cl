/* title:    One group, empty
 * chapter:  F 9
 * origin:   new
 * teaches:  The start of a kernel of your own: four arguments and nothing done.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    n
 * legal:    power_of_two(group) && n == group
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);

    // in[0] to in[n - 1] are the numbers,
    // out[0] is to be their sum.
    // buf is local memory: a cell for each work-item.
}
