// work_group_reduce_add, or another operator's.

kernel void reduce(global const float* in, const ulong n,
                   global float* out)
{
    const ulong i = get_global_id(0);
    const float mine = i < n ? in[i] : ((float)(-as_float(0x7f800000U)));

    const float total = work_group_reduce_max(mine);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = total;
}
