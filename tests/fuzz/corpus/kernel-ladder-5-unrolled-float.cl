// All 32 read, then all 32 write: only in lockstep.

kernel void reduce(global const float* in, const ulong n,
                   global float* out, 
                   volatile local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    float sum = i < n ? in[i] : ((float)(-as_float(0x7f800000U)));
    if (i + L < n)
        sum = fmax((sum), (in[i + L]));
    buf[lid] = sum;
    barrier(1);

    for (uint s = L / 2; s > 32; s /= 2) {
        if (lid < s)
            buf[lid] = fmax((buf[lid]), (buf[lid + s]));

        barrier(1);
    }
    if (lid < 32) buf[lid] = fmax((buf[lid]), (buf[lid + 32])); if (lid < 32) buf[lid] = fmax((buf[lid]), (buf[lid + 16])); if (lid < 32) buf[lid] = fmax((buf[lid]), (buf[lid + 8])); if (lid < 32) buf[lid] = fmax((buf[lid]), (buf[lid + 4])); if (lid < 32) buf[lid] = fmax((buf[lid]), (buf[lid + 2])); if (lid < 32) buf[lid] = fmax((buf[lid]), (buf[lid + 1]));

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
