kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    global int* p = a; p -= 5; p += 5; a[i] = p - a + (p < a) + (ulong)(p - 0x100000000000L);  p[-0x100000000000L] = 1;
}
