// Multiply, then add: each work-item has one pair.
kernel void dot(global const int* x,
                global const int* y,
                global int* out, local int* buf)
{
    const uint lid = get_local_id(0);

    buf[lid] = x[lid] * y[lid];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        *out = buf[0];
}
