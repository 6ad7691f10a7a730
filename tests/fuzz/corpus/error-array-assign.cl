kernel void k(global int* a) {
    int t[2], u[2]; t = u; t++;
}
