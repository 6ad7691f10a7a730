kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int s = 0;
    for (uint j = 0; j < n; ++j) s += b[j];
    a[i] = s;
}
