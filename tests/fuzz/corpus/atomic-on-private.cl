kernel void k(global int* a) {
    int x = 1;
    ulong bits = (ulong)&x;
    atomic_add((global int*)bits, 1);
    a[0] = x;
}
