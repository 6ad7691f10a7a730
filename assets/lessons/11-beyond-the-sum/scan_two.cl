// From one buffer into the other, and back.
kernel void scan(global int* s, global int* other)
{
    const uint id = get_local_id(0);
    const uint L = get_local_size(0);
    global int* from = s;
    global int* to = other;

    for (uint d = 1; d < L; d *= 2) {
        to[id] = from[id] + (id >= d ? from[id - d] : 0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        global int* last = from;
        from = to;
        to = last;
    }
    if (from != s)
        s[id] = from[id];
}
