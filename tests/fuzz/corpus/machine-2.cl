kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    if (i & 1) { for (;;) { barrier(1); if (a[i]++ > 3) return; } } else { do { barrier(1); } while (a[i]++ < 3); }
}
