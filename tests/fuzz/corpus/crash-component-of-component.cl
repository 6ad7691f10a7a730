kernel void k(global int* a) {
    uchar16 v = 0;
    v.hi.hi.lo.x++;
    v.even.odd.s1 += 1;
    a[0] = v.sC;
}
