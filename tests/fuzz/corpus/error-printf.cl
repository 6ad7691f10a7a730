kernel void k(global int* a) {
    printf("%d", 1);
}
