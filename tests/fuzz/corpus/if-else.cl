kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    if (i < n / 2) a[i] = b[i];
    else if (i == 7) a[i] = -1;
    else a[i] += 2;
}
