kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    global int* p = a + i;
    *p = *(p - 0);
    int x = 3;
    int* q = &x;
    (*q)++;
    a[i] = x + (p - a) + (p == a) + !p;
    p[-1] = 2;
}
