#pragma OPENCL EXTENSION cl_khr_subgroups : enable
// sub_group_reduce_add, or another operator's.

kernel void reduce(global const float* in, const ulong n,
                   global float* out, local float* buf)
{
    const uint lane = get_sub_group_local_id();
    const ulong i = get_global_id(0);

    float sum = i < n ? in[i] : ((float)(-as_float(0x7f800000U)));
    sum = sub_group_reduce_max(sum);
    if (lane == 0)
        buf[get_sub_group_id()] = sum;
    barrier(1);

    // The first sub-group joins them all.
    if (get_sub_group_id() == 0) {
        const uint lanes = get_sub_group_size();
        sum = ((float)(-as_float(0x7f800000U)));
        for (uint s = lane; s < get_num_sub_groups();
             s += lanes)
            sum = fmax((sum), (buf[s]));
        sum = sub_group_reduce_max(sum);
        if (lane == 0)
            out[get_group_id(0)] = sum;
    }
}
