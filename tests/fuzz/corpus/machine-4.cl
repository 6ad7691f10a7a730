int g(int x) { for (;;) { if (x > 3) return x; switch (x) { case 2: return 1; default: x++; continue; } } }
kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[i] = g(i) + g(g(i));
}
