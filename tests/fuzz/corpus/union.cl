union U { float f; int i; uchar c[8]; };
kernel void k(global int* a) {
    uint i = get_global_id(0);
    union U u;
    u.f = 1.5f;
    a[i] = u.i;
    union U w = u;
    a[i] += w.c[3] + sizeof(union U);
}
