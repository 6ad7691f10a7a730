kernel void k(global int* a) {
    int x = 1;
    x += a;
}
