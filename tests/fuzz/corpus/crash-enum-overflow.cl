enum { A = 0x7fffffffffffffff, B, C = 1 << 40, D = 1 / 0, E = 5 % 0, F = (-9223372036854775807L - 1) / -1 };
kernel void k(global int* a) { a[0] = B; }
