kernel void k(global int* a) {
    break; continue;
}
