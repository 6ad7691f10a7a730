/* title:    A tree for each chunk
 * chapter:  C 3
 * origin:   new
 * teaches:  A barrier that was enough for one chunk is not enough for two.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    div_up(n, group) + log2(group)
 * legal:    power_of_two(group) && group > 1
 * expect:   races when n > group
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    T sum = IDENTITY;

    for (uint start = 0; start < n; start += L) {
        const uint i = start + lid;
        buf[lid] = i < n ? in[i] : IDENTITY;

        for (uint width = L / 2; width > 0; width /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (lid < width)
                buf[lid] = COMBINE(buf[lid],
                                   buf[lid + width]);
        }
        if (lid == 0)
            sum = COMBINE(sum, buf[0]);
    }

    if (lid == 0)
        out[0] = sum;
}
