#define A(x) x x x x
#define B(x) A(A(x))
#define C(x) B(B(x))
kernel void k(global int* a) { C(a[0]++;) }
