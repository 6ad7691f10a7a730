// CUDA's own functions, over what OpenCL C predefines. __lanes(mask, call): the lanes that the mask names must come.
#undef __OPENCL_VERSION__
#undef __OPENCL_C_VERSION__
#undef __REDUCTION_LAB__
#define __REDUCTION_LAB__ 1
#define __CUDACC__ 1
#define __NVCC__ 1
#define __linux__ 1
#define __CUDA_ARCH__ 900
#define __cplusplus 201703L
#define nullptr 0
#define CUDART_INF_F INFINITY
#define CUDART_PI_F M_PI_F
#define CUDART_PI M_PI
#define CUDART_NAN_F NAN
#define UINT64_MAX ULONG_MAX
#define INT64_MAX LONG_MAX
#define UINT32_MAX UINT_MAX
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define ULLONG_MAX ULONG_MAX
#define LLONG_MAX LONG_MAX
#define LLONG_MIN LONG_MIN
__device__ int __syncthreads_count(int holds) {
    const int count = work_group_reduce_add((int)(holds != 0));
    barrier(3);
    return count;
}
__device__ int __syncthreads_and(int holds) {
    const int all = work_group_all(holds);
    barrier(3);
    return all;
}
__device__ int __syncthreads_or(int holds) {
    const int any = work_group_any(holds);
    barrier(3);
    return any;
}
__device__ void __syncwarp(unsigned mask = 0xffffffff) { __lanes(mask, sub_group_barrier(3)); }
__device__ unsigned __activemask() { return sub_group_ballot(1).x; }
__device__ unsigned __ballot_sync(unsigned mask, int holds) {
    return __lanes(mask, sub_group_ballot(holds)).x;
}
__device__ int __any_sync(unsigned mask, int holds) {
    return __lanes(mask, sub_group_non_uniform_any(holds));
}
__device__ int __all_sync(unsigned mask, int holds) {
    return __lanes(mask, sub_group_non_uniform_all(holds));
}
template <typename T> __device__ T __reduce_add_sync(unsigned mask, T value) {
    return __lanes(mask, sub_group_non_uniform_reduce_add(value));
}
template <typename T> __device__ T __reduce_min_sync(unsigned mask, T value) {
    return __lanes(mask, sub_group_non_uniform_reduce_min(value));
}
template <typename T> __device__ T __reduce_max_sync(unsigned mask, T value) {
    return __lanes(mask, sub_group_non_uniform_reduce_max(value));
}
template <typename T> __device__ T __reduce_and_sync(unsigned mask, T value) {
    return __lanes(mask, sub_group_non_uniform_reduce_and(value));
}
template <typename T> __device__ T __reduce_or_sync(unsigned mask, T value) {
    return __lanes(mask, sub_group_non_uniform_reduce_or(value));
}
template <typename T> __device__ T __reduce_xor_sync(unsigned mask, T value) {
    return __lanes(mask, sub_group_non_uniform_reduce_xor(value));
}
template <typename T>
__device__ T __shfl_sync(unsigned mask, T value, int from, unsigned width = warpSize) {
    const unsigned own = get_sub_group_local_id();
    return __lanes(mask, sub_group_shuffle(value, own - own % width + (unsigned)from % width));
}
template <typename T>
__device__ T __shfl_up_sync(unsigned mask, T value, unsigned by, unsigned width = warpSize) {
    const unsigned own = get_sub_group_local_id();
    return __lanes(mask, sub_group_shuffle(value, own % width < by ? own : own - by));
}
template <typename T>
__device__ T __shfl_down_sync(unsigned mask, T value, unsigned by, unsigned width = warpSize) {
    const unsigned own = get_sub_group_local_id();
    return __lanes(mask, sub_group_shuffle(value, own % width + by < width ? own + by : own));
}
template <typename T>
__device__ T __shfl_xor_sync(unsigned mask, T value, int bits, unsigned width = warpSize) {
    const unsigned own = get_sub_group_local_id(), from = own ^ (unsigned)bits;
    return __lanes(mask, sub_group_shuffle(value, from / width > own / width ? own : from));
}
template <typename T> __device__ T __ldg(const T* from) { return *from; }
__device__ int abs(int x) { return x < 0 ? -x : x; }
__device__ long abs(long x) { return x < 0 ? -x : x; }
__device__ float abs(float x) { return fabs(x); }
__device__ double abs(double x) { return fabs(x); }
__device__ int __ffs(int x) { return x == 0 ? 0 : 32 - (int)clz(x & -x); }
__device__ unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
__device__ float __saturatef(float x) { return fmin(fmax(x, 0.0f), 1.0f); }
