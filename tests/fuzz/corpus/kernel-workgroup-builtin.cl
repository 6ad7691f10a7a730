// work_group_reduce_add, or another operator's.

kernel void reduce(global const int* in, const ulong n,
                   global int* out)
{
    const ulong i = get_global_id(0);
    const int mine = i < n ? in[i] : ((int)0);

    const int total = work_group_reduce_add(mine);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = total;
}
