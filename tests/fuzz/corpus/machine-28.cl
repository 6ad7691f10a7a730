kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    uchar16 v = 0; v.sfedcba9876543210 = v; v.s01 = v.sEF; v.hi.hi.lo.x++; v.even.odd.s1 += 1; a[i] = v.hi.hi.lo.x; --v; v <<= (uchar16)9; v >>= (uchar16)200; v /= (uchar16)(i);
}
