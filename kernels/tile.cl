/* title:    Wide tiles
 * chapter:  F 5
 * origin:   new
 * teaches:  The fastest here: K loads of four elements are under way before the first one is used,
 *           and the launch has the shape that the device likes.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, totals: T[groups], done: uint[1] = 0 once, out:
 *           T[1], buf: local T[group]
 * group:    choose(cpu, 1, min(kernel_group, 256))
 * global:   max(1, min(choose(cpu, 16, 4) * units, n / (4 * K * group))) * group
 * local:    group
 * result:   out
 * depth:    div_up(n, 4 * group * groups) + 4 * K + 4 + 2 * log2(group) + div_up(groups, group)
 * legal:    power_of_two(group)
 * toggle:   K = 4, 1, 2, 8
 * expect:   correct
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define T4 JOIN(T, 4)

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
    const ulong group = get_group_id(0);
    const ulong groups = get_num_groups(0);
    const ulong tile = 4 * K * L;  // elements
    const ulong tiles = n / tile;
    const ulong end = tiles * (group + 1) / groups;

    T4 sums[K];
    for (uint k = 0; k < K; ++k)
        sums[k] = (T4)(IDENTITY);
    for (ulong t = tiles * group / groups; t < end; ++t) {
        global const T4* at =
            (global const T4*)(in + t * tile);
        // All loads first: their waits overlap.
        T4 x[K];
        for (uint k = 0; k < K; ++k)
            x[k] = at[k * L + lid];
        for (uint k = 0; k < K; ++k)
            sums[k] = COMBINE(sums[k], x[k]);
    }
    for (uint k = 1; k < K; ++k)
        sums[0] = COMBINE(sums[0], sums[k]);
    T sum = COMBINE(COMBINE(sums[0].x, sums[0].y),
                    COMBINE(sums[0].z, sums[0].w));
    // What fills no tile is left to single loads.
    for (ulong i = tiles * tile + get_global_id(0);
         i < n; i += groups * L)
        sum = COMBINE(sum, in[i]);
    sum = group_total(sum, buf);

    // As in the variant single-pass.
    local uint last;
    if (lid == 0) {
        totals[group] = sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
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
        *done = 0;
    }
}
