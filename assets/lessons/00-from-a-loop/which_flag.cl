/* title:    Backwards in each group
 * chapter:  A 1
 * origin:   new
 * teaches:  The flag of a barrier names the memory that
 *           it orders.
 * entry:    back
 * plan:     once
 * args:     in: const T[n] = input, out: T[n], buf: local T[group]
 * global:   n
 * local:    group
 * result:   out
 * depth:    1
 * legal:    n % group == 0
 * toggle:   FLAG = local, global, both, none
 * expect:   nothing
 */
kernel void back(global const T* in, global T* out,
                 local T* buf)
{
    const uint i = get_global_id(0);
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    buf[lid] = in[i];
#if FLAG == 1
    barrier(CLK_LOCAL_MEM_FENCE);
#elif FLAG == 2
    barrier(CLK_GLOBAL_MEM_FENCE);
#elif FLAG == 3
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
    out[i] = buf[L - 1 - lid];
}
