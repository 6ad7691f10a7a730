kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    enum Color { RED, GREEN = 5, BLUE };
    typedef uint4 quad;
    quad q = (quad)(BLUE);
    a[i] = q.x + RED;
}
