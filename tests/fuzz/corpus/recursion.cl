int f(int x) { return x ? f(x - 1) : 0; }
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = f(i);
}
