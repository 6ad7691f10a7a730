kernel void reduce(global const float* in, const ulong n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong items = get_global_size(0);

    // Any n: the grid strides on until it is through.
    float sum = ((float)(-as_float(0x7f800000U)));
    for (ulong i = get_global_id(0); i < n; i += items)
        sum = fmax((sum), (in[i]));
    buf[lid] = sum;
    barrier(1);

    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = fmax((buf[lid]), (buf[lid + width]));

        barrier(1);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
