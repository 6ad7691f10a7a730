kernel void k(global int* a, local int* t) {
    uint i = get_global_id(0);
    int x;
    if (i > 100) x = 3;
    a[i] = x + t[i];
}
