/* title:    Two groups, fixed
 * chapter:  A 1
 * origin:   document A
 * teaches:  Each group adds up its own numbers; one atomic per group joins the sums.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n, out: T[1] = identity
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group) + div_up(n, group)
 * legal:    power_of_two(group)
 * expect:   correct
 */
kernel void reduce(global T* data, const uint n,
                   global T* out)
{
    const uint id = get_global_id(0);
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // The tree ends where the group ends.
    for (uint span = 2; span <= L; span *= 2) {
        const uint other = id + span / 2;
        if (lid % span == 0 && other < n)
            data[id] = COMBINE(data[id],
                               data[other]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }

    if (lid == 0)
        atomic_add(out, data[id]);
}
