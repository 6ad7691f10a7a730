typedef struct S { char x; int2 v; } S;
kernel void k(struct S s, global int* a) {
    uint i = get_global_id(0);
    a[i] = s.x + s.v.y;
}
