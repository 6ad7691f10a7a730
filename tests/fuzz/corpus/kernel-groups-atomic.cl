kernel void reduce(global const int* in, const ulong n,
                   global int* out, local int* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    int mine = ((int)0);
    if (i < n)
        mine = in[i];
    if (i + L < n)
        mine = ((mine) + (in[i + L]));
    buf[lid] = mine;
    barrier(1);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] = ((buf[lid]) + (buf[lid + stride]));

        barrier(1);
    }

    // out = COMBINE(out, buf[0]), in one piece: tried
    // again whenever another group came first.
    if (lid == 0) {
        volatile global uint* total =
            (volatile global uint*)out;
        uint seen = as_uint(((int)0));
        uint old;
        do {
            old = seen;
            const int sum = ((as_int(old)) + (buf[0]));

            seen = atomic_cmpxchg(total, old, as_uint(sum));
        } while (seen != old);
    }
}
