kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    vstore3((int3)(1), 1, a); vstore16((int16)(2), -1, a);
}
