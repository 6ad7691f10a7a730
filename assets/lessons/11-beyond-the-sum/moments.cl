typedef struct {
    float n, mean, m2;
} Moments;

// The moments of both parts together.
Moments join(const Moments a, const Moments b)
{
    const float d = b.mean - a.mean;
    Moments c;
    c.n = a.n + b.n;
    c.mean = a.mean + d * b.n / c.n;
    c.m2 = a.m2 + b.m2 + d * d * a.n * b.n / c.n;
    return c;
}

kernel void spread(global const float* in,
                   global float* out, local Moments* buf)
{
    const uint lid = get_local_id(0);

    const Moments own = {1, in[lid], 0};
    buf[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = join(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        *out = buf[0].m2;
}
