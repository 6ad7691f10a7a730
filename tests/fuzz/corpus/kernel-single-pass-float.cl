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
    const uint groups = get_num_groups(0);
    const ulong items = get_global_size(0);

    float sum = ((float)(-as_float(0x7f800000U)));
    for (ulong i = get_global_id(0); i < n; i += items)
        sum = fmax((sum), (in[i]));
    sum = group_total(sum, buf);

    // A ticket tells who comes last.
    local uint last;
    if (lid == 0) {
        totals[get_group_id(0)] = sum;
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
        *done = 0;  // ready for the next launch
    }
}
