kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    constant int* c = (constant int*)(ulong)a; a[i] = *c; local int* q = (local int*)(ulong)a; *q = 1;
}
