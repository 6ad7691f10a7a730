kernel void k(global int* a) {
    a.x = 1; a[0].y;
}
