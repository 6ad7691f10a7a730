kernel void k(global int* a) {
    goto end; end: ;
}
