kernel void k(global int* a) {
    int s = 0;
    for (int j = 0; j < 1400; ++j) s += j;
    a[0] = s;
}
