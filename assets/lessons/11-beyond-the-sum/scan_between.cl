// All read, then all write.
kernel void scan(global int* s)
{
    const uint id = get_local_id(0);
    const uint L = get_local_size(0);

    for (uint d = 1; d < L; d *= 2) {
        const int left = id >= d ? s[id - d] : 0;
        barrier(CLK_GLOBAL_MEM_FENCE);
        s[id] += left;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
