kernel void k(global int* a) {
    image2d_t i; half h; event_t e;
}
