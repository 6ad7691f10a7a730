/* title:    Three barriers
 * chapter:  C 3
 * origin:   new
 * teaches:  Two of three barriers wait for nothing.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: uint = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group)
 * legal:    power_of_two(group) && group > 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint i = get_global_id(0);
    const uint lid = get_local_id(0);

    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint width = get_local_size(0) / 2; width > 0;
         width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < width)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + width]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
