struct A { struct A x[4]; };
kernel void k(global struct A* a) { a[0] = a[1]; }
