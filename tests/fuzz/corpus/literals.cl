kernel void k(global ulong* a) { a[0] = 0xffffffffffffffffUL + 0777 + 'a' + '\n' + '\x7f' + 1e3 + 0x1p-3f + .5f + 1.e2 + 0b1 + 12345678901234567890; }
