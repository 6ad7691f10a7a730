kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    f[i] = vload16(i * 100000000000000L, f).s5;
}
