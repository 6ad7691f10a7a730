/* title:    One group, local memory
 * chapter:  B 3
 * origin:   document B, shared memory
 * teaches:  The elements are read once; all further passes work in the group's own fast memory.
 * after:    block-sequential
 * gain:     gpu 2.0, cpu 1.0
 * why:      Counted as if eleven passes waited for local memory, some 30 cycles per load, instead
 *           of global memory, some 300; but the 8 KB of one group stay in its compute unit's
 *           cache. On a CPU both are the same memory and the same cache.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1], buf: local T[group]
 * global:   group
 * local:    group
 * group:    min(max_group, power_of_two_up(div_up(n, 2)))
 * result:   out
 * depth:    log2(2 * group)
 * legal:    power_of_two(group)
 * legal:    n <= 2 * group
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // The first pass happens while loading.
    T sum = IDENTITY;
    if (lid < n)
        sum = in[lid];
    if (lid + L < n)
        sum = COMBINE(sum, in[lid + L]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + stride]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        out[0] = buf[0];
}
