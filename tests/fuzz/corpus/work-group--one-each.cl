//C8T 
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = work_group_reduce_add((int)i) + work_group_scan_inclusive_max(b[i]) + work_group_scan_exclusive_min((int)i);
    a[i] += work_group_broadcast(b[i], 2) + work_group_any(i == 3) + work_group_all(i < n);
}
