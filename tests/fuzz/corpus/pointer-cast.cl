kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    global char* c = (global char*)a;
    c[i] = 1;
    ulong bits = (ulong)c;
    a[i] = bits >> 48;
    *(global int*)(bits + 4) = 5;
}
