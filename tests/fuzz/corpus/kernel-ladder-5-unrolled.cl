// All 32 read, then all 32 write: only in lockstep.

kernel void reduce(global const int* in, const ulong n,
                   global int* out, 
                   volatile local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    int sum = i < n ? in[i] : ((int)0);
    if (i + L < n)
        sum = ((sum) + (in[i + L]));
    buf[lid] = sum;
    barrier(1);

    for (uint s = L / 2; s > 32; s /= 2) {
        if (lid < s)
            buf[lid] = ((buf[lid]) + (buf[lid + s]));

        barrier(1);
    }
    if (lid < 32) buf[lid] = ((buf[lid]) + (buf[lid + 32])); if (lid < 32) buf[lid] = ((buf[lid]) + (buf[lid + 16])); if (lid < 32) buf[lid] = ((buf[lid]) + (buf[lid + 8])); if (lid < 32) buf[lid] = ((buf[lid]) + (buf[lid + 4])); if (lid < 32) buf[lid] = ((buf[lid]) + (buf[lid + 2])); if (lid < 32) buf[lid] = ((buf[lid]) + (buf[lid + 1]));

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
