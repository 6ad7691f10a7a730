/* title:    One work-item adds for all
 * chapter:  C 1
 * origin:   document C, the master
 * teaches:  The shortest way to reduce in a group: all load, all wait, and the first work-item
 *           adds. Without the barrier it reads what is not there yet.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    group
 * legal:    group > 1
 * toggle:   BARRIER_LOAD = on, off
 * expect:   races when BARRIER_LOAD=off
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_global_id(0);

    buf[lid] = IDENTITY;
    if (i < n)
        buf[lid] = in[i];
#if BARRIER_LOAD
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    if (lid == 0) {
        T sum = IDENTITY;
        for (uint k = 0; k < L; ++k)
            sum = COMBINE(sum, buf[k]);
        out[get_group_id(0)] = sum;
    }
}
