kernel void reduce(global const int* in, const uint n,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // The first pass happens while loading.
    int sum = ((int)0);
    if (lid < n)
        sum = in[lid];
    if (lid + L < n)
        sum = ((sum) + (in[lid + L]));
    buf[lid] = sum;
    barrier(1);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] = ((buf[lid]) + (buf[lid + stride]));

        barrier(1);
    }

    if (lid == 0)
        out[0] = buf[0];
}
