kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int4 v = 0; v++; --v.x; v.y *= 3; char c = 127; c++; uchar u = 0; u--; float f = 1; f++;
    bool q = 2; q += 1;
    a[i] = v.x + c + u + f + q;
}
