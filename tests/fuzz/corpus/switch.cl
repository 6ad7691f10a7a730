kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    switch (i) {
    case 0: a[0] = 1;
    case 1: case 2: a[i] = 2; break;
    default: a[i] = 3; break;
    case -1: return;
    }
}
