kernel void reduce(global const float* in, const ulong n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // ITEMS elements each, a global size apart:
    // neighbours read neighbours.
    float sum = ((float)(-as_float(0x7f800000U)));
    ulong i = get_global_id(0);
    for (uint k = 0; k < 4; ++k) {
        if (i < n)
            sum = fmax((sum), (in[i]));
        i += get_global_size(0);
    }
    buf[lid] = sum;
    barrier(1);

    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width) {
            const float other = buf[lid + width];
            buf[lid] = fmax((buf[lid]), (other));
        }
        barrier(1);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
