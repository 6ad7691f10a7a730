kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    int s = 1; for (;;) { s = s * 3 + a[s & 7]; a[s & 3] += s; t[s & 1] ^= s; }
}
