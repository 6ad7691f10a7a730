constant int c[4194304] = {1, 2};
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = c[i];
}
