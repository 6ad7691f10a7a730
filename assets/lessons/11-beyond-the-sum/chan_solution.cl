/* title:    Any two parts
 * chapter:  F 11
 * origin:   new
 * teaches:  How the spread of two parts becomes that of the whole.
 * entry:    spread
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[2], buf: local T[3 * group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    2 * (div_up(n, group) + log2(group))
 * legal:    power_of_two(group) && op == add && floating
 * expect:   correct
 */
typedef struct {
    T n, mean, m2;
} Moments;

// The moments of both parts together.
Moments join(const Moments a, const Moments b)
{
    Moments c;
    c.n = a.n + b.n;
    if (c.n == 0)
        return a;
    const T d = b.mean - a.mean;
    c.mean = a.mean + d * b.n / c.n;
    c.m2 = a.m2 + b.m2 + d * d * a.n * b.n / c.n;
    return c;
}

kernel void spread(global const T* in, const uint n,
                   global T* out, local Moments* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // Welford: one more number joins the others.
    Moments own = {0, 0, 0};
    for (uint i = lid; i < n; i += L) {
        const T d = in[i] - own.mean;
        own.n += 1;
        own.mean += d / own.n;
        own.m2 += d * (in[i] - own.mean);
    }
    buf[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = join(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0) {
        out[0] = buf[0].n * buf[0].mean;
        out[1] = buf[0].m2;
    }
}
