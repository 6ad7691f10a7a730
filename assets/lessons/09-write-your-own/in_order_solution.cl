/* title:    Eight numbers, in order
 * chapter:  F 9
 * origin:   new
 * teaches:  A load, then three passes, with a barrier before each.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    n
 * legal:    n == group && group == 8
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);

    buf[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 4) buf[lid] += buf[lid + 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 2) buf[lid] += buf[lid + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) out[0] = buf[0] + buf[1];
}
