kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int4 v = (int4)(1, 2, 3, i);
    v.xy = v.yx;
    v.s3 += v.hi.x;
    int3 w = v.xyz;
    a[i] = w.z + dot(convert_float4(v), (float4)(1.0f));
    vstore4(v, 0, a);
    vstore3(vload3(1, b), 2, a);
}
