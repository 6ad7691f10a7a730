kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    local char t[16777216];
    t[i] = 1;
    a[i] = t[i];
}
