/* title:    Read ceiling
 * chapter:  - 0
 * origin:   new
 * teaches:  Reads every byte once and does next to nothing with it: what no reduction can beat.
 * entry:    read_all
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, out: T[groups], buf: local T[group]
 * group:    choose(cpu, 1, min(kernel_group, 256))
 * global:   max(1, min(16 * units, n / (4 * WIDE * group))) * group
 * local:    group
 * result:   out
 * depth:    1
 * toggle:   WIDE = 4, 8, 16
 * toggle:   STRIP = off, on
 * expect:   correct
 */
// T is uint and COMBINE is ^, so that whatever was
// not read shows. The whole is every out combined.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define WORDS JOIN(T, WIDE)
#define K 4

kernel void read_all(global const T* in, const ulong n,
                     global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint group = get_group_id(0);
    const uint groups = get_num_groups(0);
    const uint tile = WIDE * K * L;
    const uint tiles = n / tile;
#if STRIP
    const uint first = group;
    const uint end = tiles;
    const uint step = groups;
#else
    const ulong all = tiles;
    const uint first = all * group / groups;
    const uint end = all * (group + 1) / groups;
    const uint step = 1;
#endif

    WORDS mix[K];
#pragma unroll
    for (uint k = 0; k < K; ++k)
        mix[k] = (WORDS)(IDENTITY);
    for (uint t = first; t < end; t += step) {
        global const WORDS* at =
            (global const WORDS*)(in + (ulong)t * tile);
        WORDS x[K];
#pragma unroll
        for (uint k = 0; k < K; ++k)
            x[k] = at[k * L + lid];
#pragma unroll
        for (uint k = 0; k < K; ++k)
            mix[k] = COMBINE(mix[k], x[k]);
    }
#pragma unroll
    for (uint k = 1; k < K; ++k)
        mix[0] = COMBINE(mix[0], mix[k]);
    T lanes[WIDE];
    JOIN(vstore, WIDE)(mix[0], 0, lanes);
    T sum = IDENTITY;
    for (uint k = 0; k < WIDE; ++k)
        sum = COMBINE(sum, lanes[k]);
    for (ulong i = (ulong)tiles * tile
                   + get_global_id(0);
         i < n; i += (ulong)groups * L)
        sum = COMBINE(sum, in[i]);

    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[group] = buf[0];
}
