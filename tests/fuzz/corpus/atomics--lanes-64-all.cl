//,S 
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    atomic_add(a, 1); atomic_inc(a + 1); atomic_cmpxchg(a, 0, i); atomic_xchg(&a[2], 5);
    atomic_max(a, (int)i); atomic_and(a, 7); atomic_or(a, 8); atomic_xor(a, 1); atomic_min(a, 3); atomic_sub(a, 1); atomic_dec(a);
}
