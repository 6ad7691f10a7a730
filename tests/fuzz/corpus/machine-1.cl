kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    for (int j = 0; j < 4; ++j) { switch (i) { case 0: continue; case 1: { for (;;) { if (j) break; return; } } default: barrier(1); } }
}
