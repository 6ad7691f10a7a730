typedef struct {
    int value, place;
} Pair;

// The pair with the smaller value.
Pair less(const Pair a, const Pair b)
{
    return b.value < a.value ? b : a;
}

kernel void where_least(global const int* in,
                        global Pair* out, local Pair* buf)
{
    const uint lid = get_local_id(0);

    buf[lid].value = in[lid];
    buf[lid].place = lid;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = less(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        *out = buf[0];
}
