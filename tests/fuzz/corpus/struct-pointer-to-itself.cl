struct A { int i; global struct A* next; };
kernel void k(global struct A* a) { a[0].next = a; a[0].next->next->i = 3; }
