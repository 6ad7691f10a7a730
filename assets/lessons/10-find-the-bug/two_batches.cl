/* title:    Two batches
 * chapter:  F 10
 * origin:   new
 * teaches:  A group adds its share in two batches and uses the same local memory for both.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    log2(group) + 2
 * legal:    power_of_two(group) && group > 1
 * expect:   races
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong first = get_group_id(0) * 2 * L;

    T sum = IDENTITY;
    for (uint batch = 0; batch < 2; ++batch) {
        const ulong i = first + batch * L + lid;
        buf[lid] = i < n ? in[i] : IDENTITY;
        for (uint s = L / 2; s > 0; s /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (lid < s)
                buf[lid] = COMBINE(buf[lid],
                                   buf[lid + s]);
        }
        if (lid == 0)
            sum = COMBINE(sum, buf[0]);
    }
    if (lid == 0)
        out[get_group_id(0)] = sum;
}
