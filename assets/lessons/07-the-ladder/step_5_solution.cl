/* title:    Step 5, fixed
 * chapter:  E 5
 * origin:   document E, improvement 5, for a warp of four
 * teaches:  The last passes are written out, and each still ends at a barrier for the whole group.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    1 + log2(group)
 * group:    8
 * legal:    power_of_two(group) && group >= 8
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out,
                   volatile local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    T sum = i < n ? in[i] : IDENTITY;
    if (i + L < n)
        sum = COMBINE(sum, in[i + L]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 4; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid < 4)
        buf[lid] = COMBINE(buf[lid], buf[lid + 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 2)
        buf[lid] = COMBINE(buf[lid], buf[lid + 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 1)
        buf[lid] = COMBINE(buf[lid], buf[lid + 1]);

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
