kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    if (i == 2) return;
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = 3;
}
