kernel void reduce(global const float* in, const ulong n,
                   global float* out, local float* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // COARSEN pairs each: no item waits for another.
    float mine = ((float)(-as_float(0x7f800000U)));
    ulong i = get_group_id(0) * 2UL * 2 * L + lid;
    for (uint k = 0; k < 2 * 2; ++k) {
        if (i < n)
            mine = fmax((mine), (in[i]));
        i += L;
    }
    buf[lid] = mine;
    barrier(1);

    for (uint stride = L / 2; stride > 0; stride /= 2) {
        if (lid < stride)
            buf[lid] = fmax((buf[lid]), (buf[lid + stride]));

        barrier(1);
    }

    // out = COMBINE(out, buf[0]), in one piece: tried
    // again whenever another group came first.
    if (lid == 0) {
        volatile global uint* total =
            (volatile global uint*)out;
        uint seen = as_uint(((float)(-as_float(0x7f800000U))));
        uint old;
        do {
            old = seen;
            const float sum = fmax((as_float(old)), (buf[0]));

            seen = atomic_cmpxchg(total, old, as_uint(sum));
        } while (seen != old);
    }
}
