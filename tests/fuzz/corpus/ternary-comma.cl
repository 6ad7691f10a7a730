kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = i ? n ? 1 : 2 : (3, 4);
    int x = (a[0]++, --a[1], a[i] <<= 1);
    a[i] = x && i || !n, ~x;
    int* p = i ? &x : 0; a[i] = p ? *p : 0;
}
