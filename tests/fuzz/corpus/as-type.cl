kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    float f = as_float(b[i]);
    int4 v = as_int4((float4)(f));
    uchar4 c = as_uchar4(b[i]);
    a[i] = v.x + c.w + as_long(1.0) + as_short2(i).y;
}
