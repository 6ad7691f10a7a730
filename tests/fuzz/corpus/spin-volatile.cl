kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    volatile global int* p = a;
    while (p[3] == 4) mem_fence(CLK_GLOBAL_MEM_FENCE);
}
