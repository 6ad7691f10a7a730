kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    uint4 m = (uint4)(3, 2, 1, i);
    int4 v = shuffle(vload4(0, b), m);
    a[i] = shuffle2(v, v, m).x;
}
