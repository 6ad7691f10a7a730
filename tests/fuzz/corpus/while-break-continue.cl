kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    uint j = 0;
    while (true) {
        if (j++ == i) continue;
        if (j > n) break;
        a[i] = j;
    }
}
