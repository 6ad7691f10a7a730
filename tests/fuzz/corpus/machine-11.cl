kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    int3 v = vload3(0, a); int3* p = &v; p[0].z = 1; *(int4*)p = (int4)(9); a[i] = ((int*)p)[3];
}
