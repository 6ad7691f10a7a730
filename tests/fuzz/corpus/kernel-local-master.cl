kernel void reduce(global const int* in, const ulong n,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_global_id(0);

    buf[lid] = ((int)0);
    if (i < n)
        buf[lid] = in[i];
    barrier(1);

    if (lid == 0) {
        int sum = ((int)0);
        for (uint k = 0; k < L; ++k)
            sum = ((sum) + (buf[k]));
        out[get_group_id(0)] = sum;
    }
}
