kernel void k(global int* a) {
    foo x; a[0] = x;
}
