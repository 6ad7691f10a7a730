kernel void each_item(global const int* in, global int* sum)
{
    atomic_add(sum, in[get_global_id(0)]);
}
