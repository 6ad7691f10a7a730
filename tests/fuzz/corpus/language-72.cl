struct S { int x; int v[3]; float4 f; struct { char c; short h; } in; union { int i; float g; } u; };
struct S give(int x) { struct S s = {x}; return s; }
int4 vec(int x) { return (int4)(x); }
void nothing(void) { }
global int* ptr(global int* p) { return p + 1; }
constant int tab[3] = {1, 2, 3};
constant float4 cv[2] = {(float4)(1), (float4)(1, 2, 3, 4)};
enum E { E1 = 3, E2 };
kernel void k(global int* a, global float4* f, local int* t, global struct S* s, constant int* c, uint n) {
    local int lo[4]; local struct S ls;
    int i = get_global_id(0); int x = i; uint y; float g = i; double d = i; int4 v = (int4)(i); int3 w; uchar16 b = (uchar16)(i); bool q = i;
    int arr[5] = {1}; int arr2[2][3]; struct S z; struct S zz = {1, {2}, (float4)(3)}; int* p = arr; struct S* sp = &zz; char ch = i; long l = i;
    x = (int4)(1, 2); v = (int4)(1, 2, 3, 4, 5); v = (int4)(v, v); v = (int4){1, 2}; v = (int4)((int2)(1), v.xy); v = {1, 2, 3, 4}; w = (int3)1; x = (int)(1, 2); z = (struct S)(1); p = (int[])(1);
    a[i] = x + v.x + z.x + zz.v[1] + arr[0] + ch;
}
