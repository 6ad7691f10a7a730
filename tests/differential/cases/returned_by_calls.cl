// seed 249: the value of a function whose return expression calls others went astray
ushort inner(ushort x) { return (ushort)(x + 1); }
ushort outer(ushort x) { return add_sat(inner(x), inner(inner(x))); }
kernel void test(global ulong* hashes, global float* restrict out0, global int* out1,
                 global const uint* in0, volatile global uint* counts)
{
    hashes[get_global_id(0)] = outer((ushort)get_global_id(0));
}
