kernel void of_the_group(global const int* in, global int* sum)
{
    const int part =
        work_group_reduce_add(in[get_global_id(0)]);
    if (get_local_id(0) == 0)
        atomic_add(sum, part);
}
