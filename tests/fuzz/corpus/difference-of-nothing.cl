typedef int T[];
kernel void k(global T* a, global T* b) { long d = a - b; a[1][0] = d; }
