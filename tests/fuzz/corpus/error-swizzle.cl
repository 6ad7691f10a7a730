kernel void k(global int* a) {
    int2 v; v.z = 1; v.xx = (int2)(1); v.q;
}
