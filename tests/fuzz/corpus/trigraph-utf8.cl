kernel void k(global int* a) { /* é € */ a[0] = 1; int é = 2; }
