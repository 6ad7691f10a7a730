/* title:    The master, chunk after chunk
 * chapter:  C 3
 * origin:   new
 * teaches:  One buffer for many chunks: a barrier before it is read, and one before it is filled again.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    n
 * expect:   correct
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
        barrier(CLK_LOCAL_MEM_FENCE);

        // The master empties the buffer.
        if (lid == 0)
            for (uint k = 0; k < L; ++k)
                sum = COMBINE(sum, buf[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[0] = sum;
}
