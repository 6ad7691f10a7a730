kernel void reduce(global const float* in, const ulong n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_global_id(0);

    buf[lid] = i < n ? in[i] : ((float)(-as_float(0x7f800000U)));
    barrier(1);

    for (uint s = 1; s < L; s *= 2) {
        const uint at = 2 * s * lid;
        if (at + s < L)
            buf[at] = fmax((buf[at]), (buf[at + s]));
        barrier(1);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
