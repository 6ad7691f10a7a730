constant int c[4194304] = {1};
constant int d[4194304] = {1};
kernel void k(global int* a) { a[0] = c[1] + d[1]; }
