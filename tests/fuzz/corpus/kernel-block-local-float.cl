kernel void reduce(global const float* in, const uint n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // The first pass happens while loading.
    float sum = ((float)(-as_float(0x7f800000U)));
    if (lid < n)
        sum = in[lid];
    if (lid + L < n)
        sum = fmax((sum), (in[lid + L]));
    buf[lid] = sum;
    barrier(1);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] = fmax((buf[lid]), (buf[lid + stride]));

        barrier(1);
    }

    if (lid == 0)
        out[0] = buf[0];
}
