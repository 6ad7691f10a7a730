/* title:    Step 4: add while loading
 * chapter:  E 4
 * origin:   document E, improvement 4
 * teaches:  Half of the work-items only ever loaded. With two elements each, half as many groups
 *           do the same sum.
 * after:    ladder-3-sequential
 * gain:     gpu 1.9, cpu 1.8
 * why:      A tree of eight passes and nine barriers now serves 512 elements instead of 256; only
 *           the loads stay as many. A CPU takes 10 turns for two elements instead of 18. So both
 *           gain nearly twofold.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    1 + log2(group)
 * legal:    power_of_two(group)
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    T sum = i < n ? in[i] : IDENTITY;
    if (i + L < n)
        sum = COMBINE(sum, in[i + L]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
