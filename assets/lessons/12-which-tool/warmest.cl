/* title:    The warmest
 * chapter:  F 12
 * origin:   new
 * teaches:  What items without a number bring.
 * entry:    warmest
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    group
 * needs:    group-collectives
 * legal:    group > 1 && op == max
 * expect:   correct
 */
kernel void warmest(global const T* in, const ulong n,
                    global T* out)
{
    const ulong i = get_global_id(0);
    const T mine = i < n ? in[i] : 0;

    const T most = work_group_reduce_max(mine);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = most;
}
