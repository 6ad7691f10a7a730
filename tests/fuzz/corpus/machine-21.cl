kernel void other(global int* a) { barrier(1); a[0] = get_local_id(0); }
kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    if (i & 1) other(a);
}
