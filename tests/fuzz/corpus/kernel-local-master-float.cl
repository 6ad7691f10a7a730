kernel void reduce(global const float* in, const ulong n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_global_id(0);

    buf[lid] = ((float)(-as_float(0x7f800000U)));
    if (i < n)
        buf[lid] = in[i];
    barrier(1);

    if (lid == 0) {
        float sum = ((float)(-as_float(0x7f800000U)));
        for (uint k = 0; k < L; ++k)
            sum = fmax((sum), (buf[k]));
        out[get_group_id(0)] = sum;
    }
}
