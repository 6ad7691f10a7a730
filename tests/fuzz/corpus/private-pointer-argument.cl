void set(int* p, int v) { *p = v; }
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int t[3] = {0};
    set(t, i);
    int x;
    set(&x, 4);
    a[i] = t[0] + x;
}
