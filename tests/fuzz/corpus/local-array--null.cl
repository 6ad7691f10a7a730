//C1Q?
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    local int t[4];
    local int one;
    t[get_local_id(0)] = b[i];
    if (get_local_id(0) == 0) one = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[3 - get_local_id(0)] + one;
}
