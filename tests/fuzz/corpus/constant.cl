constant int table[4] = {1, 2, 3, 1 << 4};
constant struct { int x; int v[2]; } sum = {1, {2, 3}};
constant char word[] = "ab\n\x41";
constant float4 w = (float4)(1, 2, 3, 4);
kernel void k(global int* a, global const int* b, uint n) {
    uint i = get_global_id(0);
    a[i] = table[i & 3] + sum.v[1] + *word;
}
