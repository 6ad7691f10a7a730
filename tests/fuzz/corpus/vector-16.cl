kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    uchar16 v = (uchar16)(i);
    v.odd = v.even;
    v.s0f = v.sfe;
    a[i] = any(v == (uchar16)(3)) ? v.sA : v.lo.hi.x;
    v = select(v, v + (uchar16)1, v > (uchar16)2);
    a[i] += v.s5;
}
