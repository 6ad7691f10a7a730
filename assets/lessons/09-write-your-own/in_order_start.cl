/* title:    Eight numbers, in no order
 * chapter:  F 9
 * origin:   new
 * teaches:  Lines whose order is still to be found.
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

    if (lid == 0) out[0] = buf[0] + buf[1];
    if (lid < 2) buf[lid] += buf[lid + 2];
    if (lid < 4) buf[lid] += buf[lid + 4];
    if (lid < 2) buf[lid] += buf[lid + 1];
    buf[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
}
