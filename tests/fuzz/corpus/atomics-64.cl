kernel void k(global ulong* l) {
    uint i = get_global_id(0);
    atom_add(l, 1UL); atom_cmpxchg(l, 1UL, 2UL);
    atomic_xchg((volatile global float*)l, 1.5f);
}
