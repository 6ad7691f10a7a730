// The total of a group's values, for all its items.
int group_total(int mine, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    buf[lid] = mine;
    barrier(1);
    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = ((buf[lid]) + (buf[lid + width]));

        barrier(1);
    }
    const int total = buf[0];
    barrier(1);
    return total;
}

kernel void reduce(global const int* in, const ulong n,
                   volatile global int* totals,
                   volatile global uint* done,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong group = get_group_id(0);
    const ulong groups = get_num_groups(0);
    const ulong tile = 4 * 4 * L;  // elements
    const ulong tiles = n / tile;
    const ulong end = tiles * (group + 1) / groups;

    int4 sums[4];
    for (uint k = 0; k < 4; ++k)
        sums[k] = (int4)(((int)0));
    for (ulong t = tiles * group / groups; t < end; ++t) {
        global const int4* at =
            (global const int4*)(in + t * tile);
        // All loads first: their waits overlap.
        int4 x[4];
        for (uint k = 0; k < 4; ++k)
            x[k] = at[k * L + lid];
        for (uint k = 0; k < 4; ++k)
            sums[k] = ((sums[k]) + (x[k]));
    }
    for (uint k = 1; k < 4; ++k)
        sums[0] = ((sums[0]) + (sums[k]));
    int sum = ((((sums[0].x) + (sums[0].y))) + (((sums[0].z) + (sums[0].w))));

    // What fills no tile is left to single loads.
    for (ulong i = tiles * tile + get_global_id(0);
         i < n; i += groups * L)
        sum = ((sum) + (in[i]));
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

    sum = ((int)0);
    for (uint g = lid; g < groups; g += L)
        sum = ((sum) + (totals[g]));
    sum = group_total(sum, buf);
    if (lid == 0) {
        out[0] = sum;
        *done = 0;
    }
}
