kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = add_sat(INT_MAX, (int)i) + sub_sat(b[i], 5) + hadd(b[i], a[i]) + rhadd(1, 2) + clz((int)i) + mul_hi(b[i], 1 << 30);
    a[i] += mad_hi(1, 2, 3) + mad_sat(INT_MAX, 2, 1) + abs(INT_MIN) + abs_diff(-5, 5) + popcount(i) + mul24(3, 4) + mad24(1, 2, 3);
    a[i] += upsample((short)1, (ushort)2) + bitselect(1, 2, 3) + ctz((int)i) + max(i, n) + min(3, 4);
}
