kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    atomic_add((volatile local int*)(ulong)t, 1); atomic_cmpxchg(t + 3, 1, 2); atomic_add(t - 1, 1);
}
