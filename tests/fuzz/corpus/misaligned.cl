kernel void k(global int* a) {
    uint i = get_global_id(0);
    char t[9];
    for (int j = 0; j < 9; ++j) t[j] = j;
    a[i] = *(int*)(t + 4) + *(int*)(t + 1);
}
