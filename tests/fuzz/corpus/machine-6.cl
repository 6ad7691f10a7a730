kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[0x7fffffffffffffff] = 1; 
}
