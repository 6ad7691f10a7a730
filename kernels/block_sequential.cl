/* title:    One group, shrinking stride
 * chapter:  B 2
 * origin:   document B, decreasing stride
 * teaches:  The same sums in another order: the active work-items stay side by side, so whole
 *           warps finish, and neighbours read neighbours.
 * after:    block-interleaved
 * gain:     gpu 1.3, cpu 1.0
 * why:      The active items are side by side, so warps that are done skip the work, and the
 *           modulo goes. But one group of 1024 items waits for global memory eleven times in a
 *           row, before and after. A CPU takes the same eleven turns per item.
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

    for (uint stride = L; stride > 0; stride /= 2) {
        // All items, the first half, a quarter …
        if (lid < stride && lid + stride < n)
            data[lid] = COMBINE(data[lid],
                                data[lid + stride]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
