// seed 14402: a function called in an argument of itself lost the outer call's arguments
short between(short x, short y) { return (short)(x - y); }
typedef struct { int a; float b; short c[2]; } Cell;
kernel void test(global ulong* hashes, global float4* restrict out0, global char* out1,
                 global const double8* in0, global Cell* cells, local double8* shared)
{
    const uint gid = (uint)get_global_id(0);
    const short x = (short)(cells[gid].a & 255);
    hashes[gid] = (ulong)(long)between(x, between(between(100, x), between(7, between(x, 3))));
}
