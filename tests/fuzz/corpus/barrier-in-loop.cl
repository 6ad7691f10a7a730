kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    for (uint j = 0; j <= i; ++j) { a[i] = j; barrier(1); }
}
