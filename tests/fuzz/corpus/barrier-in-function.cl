int f(int x) { if (x < 2) { barrier(1); return 1; } barrier(1); return 2; }
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = f(i);
}
