void put(global int* p, int v) { p[v] = v; }
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    put(a, i);
    return put(a, 2);
}
