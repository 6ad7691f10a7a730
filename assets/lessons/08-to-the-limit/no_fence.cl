/* title:    The last group, without a fence
 * chapter:  F 2
 * origin:   new
 * teaches:  A ticket counts; it does not carry what was written before it. That is the fence's part.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, totals: T[groups], done: uint[1] = 0 once, out:
 *           T[1], buf: local T[group]
 * global:   div_up(n, 4 * group) * group
 * local:    group
 * result:   out
 * depth:    div_up(n, group * groups) + div_up(groups, group) + 2 * log2(group)
 * legal:    power_of_two(group)
 * expect:   races when groups > 1
 */
// The total of a group's values, for all its items.
T group_total(T mine, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const T total = buf[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

kernel void reduce(global const T* in, const ulong n,
                   volatile global T* totals,
                   volatile global uint* done,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint groups = get_num_groups(0);
    const ulong items = get_global_size(0);

    T sum = IDENTITY;
    for (ulong i = get_global_id(0); i < n; i += items)
        sum = COMBINE(sum, in[i]);
    sum = group_total(sum, buf);

    // A ticket tells who comes last.
    local uint last;
    if (lid == 0) {
        totals[get_group_id(0)] = sum;
        last = atomic_inc(done) == groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!last)
        return;

    sum = IDENTITY;
    for (uint g = lid; g < groups; g += L)
        sum = COMBINE(sum, totals[g]);
    sum = group_total(sum, buf);
    if (lid == 0) {
        out[0] = sum;
        *done = 0;  // ready for the next launch
    }
}
