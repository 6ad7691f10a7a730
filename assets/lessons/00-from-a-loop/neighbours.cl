// First all read, then all write.
kernel void add(global int* data, const int n)
{
    const int i = get_global_id(0);

    int right = 0;
    if (i + 1 < n)
        right = data[i + 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    data[i] = data[i] + right;
}
