//B1R 
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    while (atomic_add(a, 0) != 77) ;
    a[1] = 2;
}
