kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    for (;;) i++;
}
