kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[i] = mad_sat(LONG_MIN, -1L, LONG_MAX) + mul_hi(LONG_MIN, LONG_MIN) + mad_hi(ULONG_MAX, ULONG_MAX, 1UL) + abs_diff(LONG_MIN, LONG_MAX) + abs(LONG_MIN) + hadd(LONG_MIN, -1L) + rhadd(LONG_MAX, LONG_MAX) + add_sat(LONG_MIN, -1L) + sub_sat(LONG_MIN, 1L) + rotate(5L, -70L) + clz(0L) + ctz(0) + popcount(-1L) + upsample(-1, 1u) + mul24(INT_MIN, INT_MIN) + clamp(1, 5, 2);
}
