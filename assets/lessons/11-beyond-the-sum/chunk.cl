typedef struct {
    int value, place;
} Pair;

// Of equal values the one with the smaller place.
Pair first(const Pair a, const Pair b)
{
    if (b.value == a.value)
        return b.place < a.place ? b : a;
    return b.value < a.value ? b : a;
}

// One group's chunk of a longer array: it begins at the
// place `begin` and has n numbers.
kernel void where_least(global const int* in, const int n,
                        const int begin, const Pair none,
                        global int* place, local Pair* buf)
{
    const int lid = get_local_id(0);

    buf[lid] = none;
    if (lid < n) {
        buf[lid].value = in[lid];
        buf[lid].place = begin + lid;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = first(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        *place = buf[0].place;
}
