kernel void reduce(global const int* in, const ulong n,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    int sum = i < n ? in[i] : ((int)0);
    if (i + L < n)
        sum = ((sum) + (in[i + L]));
    buf[lid] = sum;
    barrier(1);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = ((buf[lid]) + (buf[lid + s]));

        barrier(1);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
