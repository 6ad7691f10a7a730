//B1R 
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = sub_group_reduce_add(b[i]) + sub_group_scan_exclusive_add((int)i) + sub_group_broadcast(b[i], 1);
    a[i] += sub_group_shuffle_xor(b[i], 1u) + sub_group_shuffle_down(b[i], 2u) + get_sub_group_local_id() + get_sub_group_size() + get_num_sub_groups();
    if (i & 1) a[i] = sub_group_shuffle(b[i], i) + sub_group_shuffle_up(b[i], 9u);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
