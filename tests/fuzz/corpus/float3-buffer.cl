kernel void k(global float3* f, global int* a) {
    uint i = get_global_id(0);
    f[i].x = 1.0f;
    f[i] = f[i].zyx * 2.0f;
    a[i] = sizeof(float3);
}
