kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int* p;
    *p = 1;
    a[i] = p[2];
}
