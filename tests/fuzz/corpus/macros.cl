#define ADD(x, y) ((x) + (y))
#define STR(x) #x
#define CAT(x, y) x##y
#define V(...) ADD(__VA_ARGS__)
#if defined(ADD) && (3 > 2 ? 1 : 0) \
  || 0
#  define N 4
#elif 1
#error never
#else
#endif
#undef STR
#ifndef STR
kernel void k(global int* a) { a[CAT(0x, 1)] = V(1, N) + __LINE__; }
#endif
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
