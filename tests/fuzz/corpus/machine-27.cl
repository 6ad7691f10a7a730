kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[i] = shuffle((int2)(1, 2), (uint16)(99)).s5 + shuffle2((float3)(1), (float3)(2), (uint4)(-1)).w; 
}
