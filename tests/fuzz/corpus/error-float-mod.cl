kernel void k(global int* a) {
    float f = 1.5f % 2; f << 1;
}
