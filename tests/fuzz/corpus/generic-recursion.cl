int g(int* p, int n);
int f(int* p, int n) { return n > 0 ? g(p, n - 1) : *p; }
int g(int* p, int n) { return n > 0 ? f(p, n - 1) : *p; }
kernel void k(global int* a) { local int l[4]; int* p = a; a[0] = f(p, 3) + f(l, 2); p = l; }
