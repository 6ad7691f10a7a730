kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    float f = 3e20f;
    a[i] = f; a[i] = (uchar)-1.5f; a[i] = convert_int_sat_rte(f);
    a[i] = convert_char_sat(300) + convert_uint_rtz(2.5f);
    double d = NAN; a[i] = (long)d; half_exp(f);
    a[i] = convert_uchar4_sat((float4)(1e9f)).x + (bool)0.1f;
}
