struct B { int v[1024]; };
kernel void k(global struct B* bs, global int* a) {
    uint i = get_global_id(0);
    struct B x = {{1}};
    struct B y = x;
    y.v[i] = 3;
    bs[0] = y;
    a[i] = y.v[1023];
}
