/* title:    Kernel E
 * chapter:  F 10
 * origin:   new
 * teaches:  Only a record goes to the cell.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1] = identity
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    n
 * needs:    atomics
 * legal:    op == max && !floating
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   volatile global T* out)
{
    const uint i = get_global_id(0);
    if (i >= n)
        return;

    // Most numbers can save the atomic.
    if (in[i] > *out)
        atomic_max(out, in[i]);
}
