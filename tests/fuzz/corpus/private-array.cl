kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int t[8] = {1, 2, 3};
    int u[2][3] = {{1, 2}, {3}};
    t[i & 7] += u[1][i % 3];
    a[i] = t[0] + t[i & 7];
}
