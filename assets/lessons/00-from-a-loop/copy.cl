/* title:    A copy
 * chapter:  A 1
 * origin:   new
 * teaches:  A launch has whole groups, so some items may be
 *           left without a number.
 * entry:    copy
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[n]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    1
 * expect:   nothing
 */
kernel void copy(global const T* in, const uint n,
                 global T* out)
{
    const uint i = get_global_id(0);

    if (i < n)
        out[i] = in[i];
}
