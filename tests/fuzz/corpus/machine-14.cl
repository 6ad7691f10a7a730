kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[i] = (int)f[i] + (char)f[i] + convert_long_sat_rtn(f[i] * 1e30f) + convert_uchar_sat_rtz(NAN) + (ulong)-1.0f + (int)INFINITY + (long)1e300 + (uint)-5.5;
}
