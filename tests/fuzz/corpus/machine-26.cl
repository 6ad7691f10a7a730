kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    long p = (long)a + 3; a[0] = *(global char*)p; a[0] = *(global short*)p;
}
