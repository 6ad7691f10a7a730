// 71 and 68 become 7168.
int join(const int a, const int b)
{
    int shift = 10;
    while (shift <= b)
        shift *= 10;
    return a * shift + b;
}

// The tree of step 3, with another operator.
kernel void join_digits(global int* data)
{
    const uint lid = get_local_id(0);

    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            data[lid] = join(data[lid],
                             data[lid + s]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
