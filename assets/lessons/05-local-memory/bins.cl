/* title:    Four bins
 * chapter:  C 5
 * origin:   new
 * teaches:  Whether work-items meet may be decided by the numbers.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, out: T[1], bins: local T[4]
 * global:   group
 * local:    group
 * result:   out
 * depth:    n
 * legal:    n == group && group > 3
 * expect:   races
 */
kernel void reduce(global const T* in, global T* out, local T* bins)
{
    const uint lid = get_local_id(0);
    if (lid < 4)
        bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const T number = in[lid];
    bins[number & 3] += number;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lid == 0)
        out[0] = bins[0] + bins[1] + bins[2] + bins[3];
}
