#define f(x) f(x + g)
#define g g + f
#define e
kernel void k(global int* a) { int f = 0, g = 1; a[0] = e f e(2)(3); }
