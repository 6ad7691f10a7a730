kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = get_local_id(0) + get_group_id(0) + get_num_groups(0) + get_local_size(1) + get_global_size(2) + get_work_dim() + get_global_offset(0) + get_global_id(i);
}
