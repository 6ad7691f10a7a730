kernel void k(global int* a) {
    local int* p = a; float* q = a;
}
