kernel void k(global int* a) {
    char c[3];
    char d[8];
    c[0] = 1;
    for (int j = 0; j < 8; ++j) d[j] = j;
    a[0] = *(int*)d + *(int*)(d + 4) + c[0];
}
