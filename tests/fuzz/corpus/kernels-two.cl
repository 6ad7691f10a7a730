kernel void one(global int* a) { a[0] = 1; }
kernel void two(global int* a) { one(a); }
