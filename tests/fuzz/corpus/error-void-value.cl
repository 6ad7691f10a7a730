kernel void k(global int* a) {
    void v; int x = barrier(1);
}
