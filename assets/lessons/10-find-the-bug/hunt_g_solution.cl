/* title:    Kernel G
 * chapter:  F 10
 * origin:   new
 * teaches:  No second array is needed.
 * entry:    reduce
 * plan:     per-pass
 * args:     data: T[n] = input, n: uint = n, span: uint, buf: local T[group]
 * global:   round_up(div_up(n, span), group)
 * local:    group
 * result:   data
 * depth:    log2(group)
 * pass:     span = 1; span < n; span * group
 * legal:    power_of_two(group) && group > 1
 * expect:   correct
 */
kernel void reduce(volatile global T* data,
                   const uint n, const uint span,
                   local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint i = get_global_id(0);

    buf[lid] = i * span < n ? data[i * span] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // Where the group found its first number.
    if (lid == 0)
        data[i * span] = buf[0];
}
