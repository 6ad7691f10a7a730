kernel void k(global int* a) { int t0[1048576]; t0[a[0]] = 1; int t1[1048576]; t1[a[0]] = 1; int t2[1048576]; t2[a[0]] = 1; }
