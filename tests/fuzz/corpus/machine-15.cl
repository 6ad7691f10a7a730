kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    f[i] = convert_float_rtz(0x7fffffffffffffffL) + convert_float_rtp(1e300) + convert_float_rtn(-1e300) + (float)ULONG_MAX + convert_double_rtp(ULONG_MAX) + ldexp(1.0f, 2147483647) + ldexp(1.0f, (int)-2147483648) + pown(2.0f, INT_MIN) + rootn(2.0f, 0) + rootn(-8.0f, INT_MIN) + ilogb(0.0f) + ilogb(NAN) + nan(5u) + remainder(INFINITY, 0.0f) + nextafter(NAN, 1.0f) + logb(0.0f) + tgamma(-1.0f) + lgamma(-INFINITY);
}
