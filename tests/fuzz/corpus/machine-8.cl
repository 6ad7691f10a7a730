kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[i] = *(a + 0x4000000000000000L);
}
