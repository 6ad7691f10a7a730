/* title:    Wide tiles
 * chapter:  F 5
 * origin:   new
 * teaches:  The fastest here: K loads of WIDE elements are under way while those before them are
 *           added, and the launch has the shape that the device likes.
 * after:    single-pass
 * gain:     gpu 3.0, cpu 16
 * why:      Each item has four loads of 16 bytes under way instead of one of 4: more than the
 *           memory needs to be busy all the time, so its bandwidth is the limit, about 3 times
 *           what one load per item can draw. On a CPU each group reads a stretch of its own, and a
 *           line of 64 bytes comes from memory once, not 16 times.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, totals: T[groups], done: uint[1] = 0 once, out:
 *           T[1], buf: local T[group]
 * group:    choose(cpu, 1, min(kernel_group, 256))
 * global:   max(1, min(PER_UNIT * units, n / (WIDE * K * group))) * group
 * local:    group
 * result:   out
 * depth:    div_up(n, WIDE * group * groups) + WIDE * K + WIDE + K + 2 * log2(group) +
 *           div_up(groups, group)
 * legal:    WARP != 2 || op != product
 * legal:    power_of_two(group) && (WARP == 0 || group >= 32)
 * legal:    n / (WIDE * K * group) < 2147483648
 * needs:    ptx when WARP=ptx, sub-groups when WARP=subgroup
 * toggle:   K = 4, 1, 2, 8
 * toggle:   WIDE = 4, 8, 16
 * toggle:   STRIP = off, on
 * toggle:   PER_UNIT = 4, 1, 2, 8, 16, 32, 64
 * toggle:   WARP = none, ptx, subgroup
 * shape:    cpu: group = 1, K = 4, WIDE = 8, PER_UNIT = 8
 * shape:    gpu: group = 256, K = 4, PER_UNIT = 8, STRIP = on
 * shape:    nvidia: group = 512, PER_UNIT = 16, WARP = ptx
 * tune:     group, PER_UNIT, K, WIDE, STRIP
 * expect:   correct
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define VECTOR JOIN(T, WIDE)

#if WARP
// A warp adds up in registers: half of its lanes
// hand their values to the other half, then half of
// those, and no barrier is needed.
#if WARP == 1  // NVIDIA's own instruction
#define LANES 32
#define LANE (get_local_id(0) % LANES)
#define WARP_ID (get_local_id(0) / LANES)
#define WARPS (get_local_size(0) / LANES)

T warp_total(T mine)
{
    union { T value; uint words[sizeof(T) / 4]; } other;
    for (uint far = LANES / 2; far > 0; far /= 2) {
        other.value = mine;
        for (uint w = 0; w < sizeof(T) / 4; ++w)
            asm volatile("shfl.sync.down.b32 "
                         "%0, %0, %1, 31, -1;"
                         : "+r"(other.words[w])
                         : "r"(far));
        mine = COMBINE(mine, other.value);
    }
    return mine;
}
#else  // as other devices call it
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define LANES get_sub_group_size()
#define LANE get_sub_group_local_id()
#define WARP_ID get_sub_group_id()
#define WARPS get_num_sub_groups()
#define warp_total WITH_OPERATOR(sub_group_reduce_)
#endif

// The total of a group's values, for its first item.
T group_total(T mine, local T* buf)
{
    mine = warp_total(mine);
    if (LANE == 0)
        buf[WARP_ID] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (WARP_ID == 0) {
        mine = IDENTITY;
        for (uint w = LANE; w < WARPS; w += LANES)
            mine = COMBINE(mine, buf[w]);
        mine = warp_total(mine);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return mine;
}
#else
// The total of a group's values, for its first item.
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
    return buf[0];
}
#endif

// The total of x[first], x[first + step] and so on
// below end: several loads are under way at a time.
// Volatile, since x may be what other groups wrote.
T strided_total(volatile global const T* x,
                const ulong first, const ulong end,
                const ulong step)
{
    T sum = IDENTITY;
    for (ulong i = first; i < end; i += 2 * K * step) {
        T some[2 * K];
        for (uint k = 0; k < 2 * K; ++k) {
            const ulong at = i + k * step;
            some[k] = at < end ? x[at] : IDENTITY;
        }
        for (uint k = 0; k < 2 * K; ++k)
            sum = COMBINE(sum, some[k]);
    }
    return sum;
}

// A group that reads an atomic after it, and then has
// a fence too, sees what stands before it. barrier and
// mem_fence promise that to their own group only.
void device_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,
                           memory_order_acq_rel,
                           memory_scope_device);
}

kernel void reduce(global const T* in, const ulong n,
                   volatile global T* totals,
                   volatile global uint* done,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint group = get_group_id(0);
    const uint groups = get_num_groups(0);
    const uint tile = WIDE * K * L;  // elements
    // Tiles are numbered in 32 bits, which takes fewer
    // registers; the elements may be more than that.
    const uint tiles = n / tile;
#if STRIP
    // All groups side by side through the memory.
    const uint first = group;
    const uint end = tiles;
    const uint step = groups;
#else
    // A stretch of memory for each group.
    const ulong all = tiles;
    const uint first = all * group / groups;
    const uint end = all * (group + 1) / groups;
    const uint step = 1;
#endif

    // Written out, the loops over K need no array:
    // all of it stays in registers.
    VECTOR sums[K], x[K];
#pragma unroll
    for (uint k = 0; k < K; ++k) {
        sums[k] = (VECTOR)(IDENTITY);
        x[k] = (VECTOR)(IDENTITY);
    }
    for (uint t = first; t < end; t += step) {
        global const VECTOR* at =
            (global const VECTOR*)(in + (ulong)t * tile);
        // The tile before is added while this one is
        // on its way, all of its loads together.
#pragma unroll
        for (uint k = 0; k < K; ++k) {
            sums[k] = COMBINE(sums[k], x[k]);
            x[k] = at[k * L + lid];
        }
    }
#pragma unroll
    for (uint k = 0; k < K; ++k)
        sums[k] = COMBINE(sums[k], x[k]);
#pragma unroll
    for (uint k = 1; k < K; ++k)
        sums[0] = COMBINE(sums[0], sums[k]);
    T lanes[WIDE];
    JOIN(vstore, WIDE)(sums[0], 0, lanes);
    T sum = IDENTITY;
    for (uint w = 0; w < WIDE; ++w)
        sum = COMBINE(sum, lanes[w]);
    // What fills no tile is taken element by element.
    const ulong rest = (ulong)tiles * tile;
    sum = COMBINE(sum,
                  strided_total(in, rest + get_global_id(0),
                                n, (ulong)groups * L));
    sum = group_total(sum, buf);

    // As in the variant single-pass.
    local uint last;
    if (lid == 0) {
        totals[group] = sum;
        device_fence();
        last = atomic_inc(done) == groups - 1;
        if (last)
            device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!last)
        return;

    sum = strided_total(totals, lid, groups, L);
    sum = group_total(sum, buf);
    if (lid == 0) {
        out[0] = sum;
        atomic_xchg(done, 0);
    }
}
