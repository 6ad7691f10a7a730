struct A { int v[]; };
kernel void k(global int* a) { struct A t[16777216][16777216]; struct A u[16777216][16777216] = {0}; }
