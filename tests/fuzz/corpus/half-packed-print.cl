typedef struct __attribute__((packed)) { char c; int b[3]; float4 v; } P;
global int counter = 3;
kernel void f(global P* p, global half* h) {
    const int i = get_local_id(0);
    p[i].b[i] = (int)vload_half(i, h) + ((int[]){[1] = 2, 5})[i & 1];
    vstore_half4_rtp(p[i].v, i, h);
    printf("%d %5.2f %v4f %s\n", p[i].b[0], 2.5, p[i].v, "text");
    atomic_fetch_add_explicit(&counter, (int)sub_group_ballot(i).x, memory_order_acq_rel, memory_scope_device);
    barrier(i ? 1 : p[0].b[1]);
}
