/* title:    Step 1: modulo
 * chapter:  E 1
 * origin:   document E, the basic version
 * teaches:  Every second work-item, every fourth, every eighth: the modulo is slow, and in every
 *           warp that still takes part only a few lanes work.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    log2(group)
 * legal:    group > 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_global_id(0);

    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = 1; s < L; s *= 2) {
        if (lid % (2 * s) == 0 && lid + s < L)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
