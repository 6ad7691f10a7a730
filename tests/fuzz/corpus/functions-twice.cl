int f(int x) { return x + 1; }
int g(int x) { return f(x) + f(x + 1); }
int h(int x) { return g(x) * g(x); }
int d(int x) { return h(x) - h(2); }
int e(int x) { return d(x) + d(3); }
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = e(i);
}
