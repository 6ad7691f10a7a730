kernel void reduce(global const int* in, const ulong n,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_global_id(0);

    buf[lid] = i < n ? in[i] : ((int)0);
    barrier(1);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = ((buf[lid]) + (buf[lid + s]));

        barrier(1);
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
