kernel void of_a_warp(global const int* in, global int* sum)
{
    const int part =
        sub_group_reduce_add(in[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        atomic_add(sum, part);
}
