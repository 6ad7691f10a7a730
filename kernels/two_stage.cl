/* title:    Two launches
 * chapter:  F 1
 * origin:   new
 * teaches:  No more groups than a group has work-items, each striding over all elements; a second
 *           launch of one group joins their totals.
 * after:    ladder-4-first-add
 * gain:     gpu 0.2, cpu 2.0
 * why:      At most 256 groups: 65,536 items with one load each under way, a quarter of an H200's
 *           places and a thirteenth of the loads that its memory needs at once. One tree per group
 *           no longer matters. On a CPU 1 turn per element is left of 5, but with two cores each item
 *           strides 32 KiB, so 64 bytes come from memory for every 4 that are used.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   min(min(16 * units, group), div_up(n, group)) * group
 * local:    group
 * result:   out
 * depth:    div_up(n, group * groups) + log2(group)
 * legal:    power_of_two(group)
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong items = get_global_size(0);

    // Any n: the grid strides on until it is through.
    T sum = IDENTITY;
    for (ulong i = get_global_id(0); i < n; i += items)
        sum = COMBINE(sum, in[i]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
