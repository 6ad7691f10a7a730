/* title:    One launch per pass
 * chapter:  A 6
 * origin:   new: document A's loop, run by the host
 * teaches:  The end of a launch is the one barrier that every group obeys.
 * entry:    reduce
 * plan:     per-pass
 * pass:     span = 2; span < 2 * n; span * 2
 * args:     data: T[n] = input, n: uint = n, span: uint = span
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    1
 * legal:    n <= 2147483648
 * expect:   correct
 * pair:     span-modulo, BARRIER=group */
kernel void reduce(global T* data, const uint n,
                   const uint span)
{
    const size_t id = get_global_id(0);
    const size_t other = id + span / 2;

    if (id % span == 0 && other < n)
        data[id] = COMBINE(data[id], data[other]);

    // No loop: the host launches this again with
    // span doubled, once every group is done.
}
