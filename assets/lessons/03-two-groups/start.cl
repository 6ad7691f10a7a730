/* title:    Two groups, to be fixed
 * chapter:  A 1
 * origin:   document A
 * teaches:  The groups share one tree, and nothing makes one wait for the other.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n, out: T[1] = identity
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group) + div_up(n, group)
 * legal:    power_of_two(group)
 * expect:   races when groups > 1
 */
kernel void reduce(global T* data, const uint n,
                   global T* out)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span / 2 < n; span *= 2) {
        const uint other = id + span / 2;
        if (id % span == 0 && other < n)
            data[id] = COMBINE(data[id],
                               data[other]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }

    if (id == 0)
        out[0] = data[0];
}
