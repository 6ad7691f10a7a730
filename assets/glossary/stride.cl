// Any number of work-items gets through any n.
kernel void stride(global const int* in, const uint n,
                   global int* out)
{
    const uint items = get_global_size(0);

    int sum = 0;
    for (uint i = get_global_id(0); i < n; i += items)
        sum += in[i];
    out[get_global_id(0)] = sum;
}
