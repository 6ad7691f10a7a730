// seed 79: arrays of odd sizes in neighbouring work-items shared their marks of what was written
typedef struct { int a; float b; short c[2]; } Cell;
kernel void test(global ulong* hashes, global long4* out0, global const float* restrict in0,
                 global Cell* cells, volatile global int* counts, local char* shared)
{
    const uint gid = (uint)get_global_id(0);
    char a[3] = {1, 2, 3};
    short b[3];
    for (int i = 0; i < 3; ++i)
        b[i] = (short)(a[i] * 100 + gid);
    hashes[gid] = (ulong)(b[0] + b[1] + b[2]);
}
