/* title:    Eight in a row
 * chapter:  F 9
 * origin:   new
 * teaches:  Each work-item adds eight numbers that lie side by side: for the warp they lie far
 *           apart.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 8 * group) * group
 * local:    group
 * result:   out
 * depth:    8 + log2(group)
 * legal:    power_of_two(group) && group >= 4
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong first = get_global_id(0) * 8;

    T sum = IDENTITY;
    for (ulong i = first; i < first + 8; ++i)
        if (i < n)
            sum = COMBINE(sum, in[i]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = 1; s < L; s *= 2) {
        if (lid % (2 * s) == 0)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
