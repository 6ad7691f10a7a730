inline int f(int x) { if (x > 3) return 1; for (int j = 0; j < x; ++j) if (j == 2) return j; return 7; }
static float g(float x, uint n);
static float g(float x, uint n) { return x * f(n); }
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = f(i) + g(1.5f, n);
}
