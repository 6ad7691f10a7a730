// The sum and the sum of the squares, in one tree.
kernel void spread(global const float* in,
                   global float* out, local float2* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const float x = in[lid];

    buf[lid] = (float2)(x, x * x);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        *out = buf[0].y - buf[0].x * buf[0].x / L;
}
