//B1R 
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    for (int j = 0; j < 4; ++j)
        switch ((i + j) & 3) {
        case 0: continue;
        case 1: break;
        case 2: a[i] = j; return;
        default: a[i]++;
        }
}
