// The first half waits for the second, which has left.
kernel void half_waits(global int* data)
{
    const uint id = get_local_id(0);

    data[id] = data[id] + 1;
    if (id < get_local_size(0) / 2)
        barrier(CLK_GLOBAL_MEM_FENCE);
}
