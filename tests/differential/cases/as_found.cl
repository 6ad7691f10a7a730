// seed 14402: what compilers take beyond the letter of 1.2, functions of one name and components by [ ]
#define MANY __attribute__((overloadable))
typedef struct { int a; float b; short c[2]; } Cell;
int MANY kind(int x) { return x * 3 + 1; }
int MANY kind(float x) { return (int)x * 5 + 2; }
int MANY kind(short2 x) { return x.x * 7 + x.y; }
int MANY kind(int x, int y) { return x * 11 + y; }
kernel void test(global ulong* hashes, global float4* restrict out0, global char* out1,
                 global const double8* in0, global Cell* cells, local double8* shared)
{
    const uint gid = (uint)get_global_id(0);
    const int x = cells[gid].a & 255;
    int4 v = (int4)(x, x + 1, x + 2, x + 3);
    v[2] = v[0] * v[3];
    const short2 s = (short2)((short)x, (short)3);
    hashes[gid] = (ulong)(long)(kind(x) + kind((float)x) + kind(s) + kind(x, v[2]) + v[2]);
    out1[gid] = (char)("abcdef"[x % 6]);
}
