// The least number by an atomic, its place beside it.
kernel void where_least(global const int* in,
                        local int* least,
                        global int* place)
{
    const int id = get_global_id(0);

    if (id == 0)
        *least = INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (in[id] < atomic_min(least, in[id]))
        *place = id;
}
