kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    for (int j = 0; j < i; ++j) work_group_reduce_add(j); a[0] = sub_group_broadcast(i, 99u) + sub_group_shuffle(i, -1) + work_group_broadcast(i, 77);
}
