kernel void reduce(global const int* in, const ulong n,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong items = get_global_size(0);

    // Any n: the grid strides on until it is through.
    int sum = ((int)0);
    for (ulong i = get_global_id(0); i < n; i += items)
        sum = ((sum) + (in[i]));
    buf[lid] = sum;
    barrier(1);

    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width)
            buf[lid] = ((buf[lid]) + (buf[lid + width]));

        barrier(1);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
