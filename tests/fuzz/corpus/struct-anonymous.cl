kernel void k(global int* a) {
    uint i = get_global_id(0);
    struct S { union { int a; float b; }; struct { char c, d; } e; } s;
    s.a = 1; s.e.d = 2;
    a[i] = s.b > 0 ? s.e.d : as_int(s.b);
}
