/* title:    One group
 * chapter:  F 9
 * origin:   new
 * teaches:  A tree in local memory: each pass adds the second half of the cells to the first.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    log2(group)
 * legal:    power_of_two(group) && n == group
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);

    buf[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = n / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[0] = buf[0];
}
