struct P { int x; int v[2]; float f; };
struct P give(struct P p) { p.x++; return p; }
kernel void k(global struct P* ps, global int* a) {
    uint i = get_global_id(0);
    struct P p = {1, {2, 3}, 4.5f};
    struct P q = p;
    q.v[i & 1] += p.x;
    q = give(q);
    ps[i] = q;
    a[i] = q.v[1];
}
