constant int c[2] = {1, 2};
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    *(int*)(ulong)&c[0] = 1;
    ((global int*)(ulong)c)[0] = 2;
    a[i] = c[0];
}
