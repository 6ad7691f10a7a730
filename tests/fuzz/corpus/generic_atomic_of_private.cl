void add(int* p, int by) { atomic_add(p, by);uchar16 undeclared; }
void both(int* p, int* q) { add(p, 1); add(q, *p); }
kernel void k(global int* a) { local int l; int own; both(a, &l); both(&l, a); both(&own, a); }
