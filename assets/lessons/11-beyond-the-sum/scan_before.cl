// A barrier before the addition, and one behind it.
kernel void scan(global int* s)
{
    const uint id = get_local_id(0);
    const uint L = get_local_size(0);

    for (uint d = 1; d < L; d *= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (id >= d)
            s[id] += s[id - d];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
