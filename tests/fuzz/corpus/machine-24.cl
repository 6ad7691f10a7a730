kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    int x[2][3][4] = {{{1}}}; x[i % 2][i % 3][i % 4]++; a[i] = x[1][2][3] + (&x[1][2][3] - &x[0][0][0]) + sizeof(x[0]);  int* p = x[0][0]; a[i] = p[23]; a[i] = p[24];
}
