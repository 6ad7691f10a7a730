struct A { struct A; int x; };
kernel void k(global struct A* a) { a[0].x = a->y; }
