#pragma OPENCL EXTENSION cl_khr_subgroups : enable
// sub_group_reduce_add, or another operator's.

kernel void reduce(global const int* in, const ulong n,
                   global int* out, local int* buf)
{
    const uint lane = get_sub_group_local_id();
    const ulong i = get_global_id(0);

    int sum = i < n ? in[i] : ((int)0);
    sum = sub_group_reduce_add(sum);
    if (lane == 0)
        buf[get_sub_group_id()] = sum;
    barrier(1);

    // The first sub-group joins them all.
    if (get_sub_group_id() == 0) {
        const uint lanes = get_sub_group_size();
        sum = ((int)0);
        for (uint s = lane; s < get_num_sub_groups();
             s += lanes)
            sum = ((sum) + (buf[s]));
        sum = sub_group_reduce_add(sum);
        if (lane == 0)
            out[get_group_id(0)] = sum;
    }
}
