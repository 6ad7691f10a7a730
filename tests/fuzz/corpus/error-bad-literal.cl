kernel void k(global int* a) {
    a[0] = 0x + 1e + 'ab' + 09 + 1.2.3;
}
