/* title:    Few sectors, few passes
 * chapter:  F 9
 * origin:   new
 * teaches:  Lanes of a warp read neighbours, and the last four cells are not worth a pass
 *           each.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 8 * group) * group
 * local:    group
 * result:   out
 * depth:    8 + log2(group) + 1
 * legal:    power_of_two(group) && group >= 4
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong items = get_global_size(0);

    T sum = IDENTITY;
    for (ulong i = get_global_id(0); i < n; i += items)
        sum = COMBINE(sum, in[i]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 2; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // One item is quicker here than two more passes.
    if (lid == 0) {
        T total = buf[0];
        for (uint k = 1; k < 4; ++k)
            total = COMBINE(total, buf[k]);
        out[get_group_id(0)] = total;
    }
}
