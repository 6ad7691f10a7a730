struct A { int n; int v[]; };
kernel void k(global struct A* a) { a[0].v[1] = 2; int t[]; }
