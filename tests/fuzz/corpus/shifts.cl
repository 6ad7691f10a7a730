kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = 1 << i << 40 >> 3;
    a[i] += (char)200 >> 9 | (uchar)3 << -1;
    a[i] ^= rotate(i, 33u) + (1UL << 63 >> n);
}
