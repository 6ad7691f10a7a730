/* title:    All read
 * chapter:  C 1
 * origin:   new
 * teaches:  Who only reads is in nobody's way.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   round_up(n, group)
 * local:    group
 * result:   out
 * depth:    group
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

    T sum = IDENTITY;  // of each item
    for (uint k = 0; k < L; ++k)
        sum = COMBINE(sum, buf[k]);
    if (lid == 0)
        out[get_group_id(0)] = sum;
}
