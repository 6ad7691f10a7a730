kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    int t[] = {[3] = 1, 2};
    float4 w[2] = {(float4)(1), {1, 2, 3, 4}};
    a[i] = t[3] + w[1].z;
}
