/* title:    One group, growing stride
 * chapter:  B 1
 * origin:   document B, one block
 * teaches:  Two elements per work-item. The active work-items move apart: in every warp that
 *           still takes part only a few lanes work.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   group
 * local:    group
 * group:    min(max_group, power_of_two_up(div_up(n, 2)))
 * result:   data
 * depth:    log2(2 * group)
 * legal:    power_of_two(group)
 * legal:    n <= 2 * group
 * expect:   correct
 */
kernel void reduce(global T* data, const uint n)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint i = 2 * lid;

    for (uint stride = 1; stride <= L; stride *= 2) {
        // All items, every 2nd, every 4th …
        if (lid % stride == 0 && i + stride < n)
            data[i] = COMBINE(data[i],
                              data[i + stride]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
