kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    uint j = i;
    do { a[j % n] ^= 1; j /= 2; } while (j);
}
