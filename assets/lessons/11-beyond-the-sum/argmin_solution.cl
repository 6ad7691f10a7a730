/* title:    Keep them together
 * chapter:  F 11
 * origin:   new
 * teaches:  A value and its place are one operand.
 * entry:    where_least
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[2], buf: local T[group], at: local T[group]
 * global:   group
 * local:    group
 * result:   out
 * depth:    div_up(n, group) + log2(group)
 * legal:    power_of_two(group) && op == min
 * expect:   correct
 */
// Whether a pair comes before another one.
bool before(const T a, const T place_a,
            const T b, const T place_b)
{
    return a < b || (a == b && place_a < place_b);
}

kernel void where_least(global const T* in, const uint n,
                        global T* out,
                        local T* buf, local T* at)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // Each takes every L-th number.
    T value = IDENTITY;
    T place = n;
    for (uint i = lid; i < n; i += L)
        if (before(in[i], i, value, place)) {
            value = in[i];
            place = i;
        }
    buf[lid] = value;
    at[lid] = place;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s && before(buf[lid + s], at[lid + s],
                              buf[lid], at[lid])) {
            buf[lid] = buf[lid + s];
            at[lid] = at[lid + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0) {
        out[0] = buf[0];
        out[1] = at[0];
    }
}
