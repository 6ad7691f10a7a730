typedef struct {
    int head, sum;
} Part;

// a lies to the left of b. A head begins a new sum.
Part join(const Part a, const Part b)
{
    Part c;
    c.head = a.head || b.head;
    c.sum = b.head ? b.sum : a.sum + b.sum;
    return c;
}

kernel void segments(global const int* in,
                     global const int* head,
                     global Part* out, local Part* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    buf[lid].head = head[lid];
    buf[lid].sum = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint span = 2; span <= L; span *= 2) {
        if (lid % span == 0)
            buf[lid] = join(buf[lid],
                            buf[lid + span / 2]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        *out = buf[0];
}
