kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = (-2147483647 - 1) / (int)(i - 1);
    a[i] = b[i] % (b[i] - 1);
    long m = LONG_MIN / -1 + LONG_MIN % -1L;
    short s = SHRT_MIN; s /= (short)-1;
    a[i] = m + s;
}
