// The total of a group's values, for all its items.
float group_total(float mine, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    buf[lid] = mine;
    barrier(1);
    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = fmax((buf[lid]), (buf[lid + width]));

        barrier(1);
    }
    const float total = buf[0];
    barrier(1);
    return total;
}

kernel void reduce(global const float* in, const ulong n,
                   volatile global float* totals,
                   volatile global uint* done,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong group = get_group_id(0);
    const ulong groups = get_num_groups(0);
    const ulong tile = 4 * 4 * L;  // elements
    const ulong tiles = n / tile;
    const ulong end = tiles * (group + 1) / groups;

    float4 sums[4];
    for (uint k = 0; k < 4; ++k)
        sums[k] = (float4)(((float)(-as_float(0x7f800000U))));
    for (ulong t = tiles * group / groups; t < end; ++t) {
        global const float4* at =
            (global const float4*)(in + t * tile);
        // All loads first: their waits overlap.
        float4 x[4];
        for (uint k = 0; k < 4; ++k)
            x[k] = at[k * L + lid];
        for (uint k = 0; k < 4; ++k)
            sums[k] = fmax((sums[k]), (x[k]));
    }
    for (uint k = 1; k < 4; ++k)
        sums[0] = fmax((sums[0]), (sums[k]));
    float sum = fmax((fmax((sums[0].x), (sums[0].y))), (fmax((sums[0].z), (sums[0].w))));

    // What fills no tile is left to single loads.
    for (ulong i = tiles * tile + get_global_id(0);
         i < n; i += groups * L)
        sum = fmax((sum), (in[i]));
    sum = group_total(sum, buf);

    // As in the variant single-pass.
    local uint last;
    if (lid == 0) {
        totals[group] = sum;
        mem_fence(2);
        last = atomic_inc(done) == groups - 1;
    }
    barrier(1 | 2);
    if (!last)
        return;

    sum = ((float)(-as_float(0x7f800000U)));
    for (uint g = lid; g < groups; g += L)
        sum = fmax((sum), (totals[g]));
    sum = group_total(sum, buf);
    if (lid == 0) {
        out[0] = sum;
        *done = 0;
    }
}
