struct A { int i; struct B { struct A a; } b; };
kernel void k(global struct A* a) { struct A c = *a; }
