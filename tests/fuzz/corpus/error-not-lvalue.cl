kernel void k(global int* a) {
    1 = a[0]; f() = 2; &3;
}
