#define O __attribute__((overloadable))
int O f(int x); int O f(float x) { return 2; } int O f(constant char* t) { return t[1]; }
int f(int x, int y) { return 3; } int O f(int x) { return f((half)x) + f("ab"); }
kernel void k(global int* a) { a[0] = f(1) + f(1.0f) + f("text") + f(1, 2) + f(a) + f((int2)(1)); }
