kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int m = b[0];
    for (int j = 1; j < 12; ++j) m = b[j] < m ? b[j] : m;
    if (i == 0) a[0] = m; else a[i] = min(m, b[i]);
}
