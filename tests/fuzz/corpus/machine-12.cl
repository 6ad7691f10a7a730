struct S { int3 a; char c; union { double d; long l; float4 f; } u; };
kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    struct S s; s.u.l = 5; struct S q = s; q.u.f.x = s.u.d; a[i] = q.u.f.x + sizeof(struct S); struct S r[3] = {q, s}; a[i] = r[2].c + r[1].u.f.w;
}
