kernel void k(local int* t, global int* a) {
    uint i = get_global_id(0);
    t[get_local_id(0)] = i;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    a[i] = t[0];
}
