kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int4 v = (int4)i;
    int4 w = v > 3 ? v : -v;
    a[i] = w.x + (v && w).y + (!v).z + (v == w).w;
}
