kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    event: a[0] = 1;
}
