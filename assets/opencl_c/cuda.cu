// CUDA's own functions, over what OpenCL C predefines. __lanes(mask, call): the lanes that the mask names must come.
#undef __OPENCL_VERSION__
#undef __OPENCL_C_VERSION__
#undef __REDUCTION_LAB__
#define __REDUCTION_LAB__ 1
#define __CUDACC__ 1
#define __NVCC__ 1
#define __linux__ 1
#define __CUDA_ARCH__ 900
#define CUDART_VERSION 12000
#define __cplusplus 201703L
#define nullptr 0
#undef true
#undef false
#define __builtin_memcpy memcpy
#define __builtin_memset memset
#undef INFINITY
#undef NAN
#undef HUGE_VALF
#undef HUGE_VAL
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define HUGE_VALF INFINITY
#define HUGE_VAL CUDART_INF
#define CUDART_INF __longlong_as_double(0x7ff0000000000000)
#define CUDART_NAN __longlong_as_double(0x7ff8000000000000)
#define CUDART_INF_F INFINITY
#define CUDART_PI_F M_PI_F
#define CUDART_PI M_PI
#define CUDART_NAN_F NAN
#define UINT64_MAX ULONG_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define SIZE_MAX ULONG_MAX
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
__device__ void __check_width(unsigned width) {
    assert(width == warpSize || (width & (width - 1)) == 0);
}
template <typename T>
__device__ T __shfl_sync(unsigned mask, T value, int from, unsigned width = warpSize) {
    __check_width(width);
    const unsigned own = get_sub_group_local_id();
    return __lanes(mask, sub_group_shuffle(value, own - own % width + (unsigned)from % width));
}
template <typename T>
__device__ T __shfl_up_sync(unsigned mask, T value, unsigned by, unsigned width = warpSize) {
    __check_width(width);
    const unsigned own = get_sub_group_local_id();
    return __lanes(mask, sub_group_shuffle(value, own % width < by ? own : own - by));
}
template <typename T>
__device__ T __shfl_down_sync(unsigned mask, T value, unsigned by, unsigned width = warpSize) {
    __check_width(width);
    const unsigned own = get_sub_group_local_id();
    return __lanes(mask, sub_group_shuffle(value, own % width + by < width ? own + by : own));
}
template <typename T>
__device__ T __shfl_xor_sync(unsigned mask, T value, int bits, unsigned width = warpSize) {
    __check_width(width);
    const unsigned own = get_sub_group_local_id(), from = own ^ (unsigned)bits;
    return __lanes(mask, sub_group_shuffle(value, from / width > own / width ? own : from));
}
template <typename T> __device__ unsigned __match_any_sync(unsigned mask, T value) {
    unsigned same = 0;
    while ((same >> get_sub_group_local_id() & 1) == 0) {
        mask &= ~same;
        same = __ballot_sync(mask, value == __lanes(mask, sub_group_shuffle(value, ctz(mask))));
    }
    return same;
}
template <typename T> __device__ unsigned __match_all_sync(unsigned mask, T value, int* all) {
    const unsigned same = __ballot_sync(mask, value == __lanes(mask, sub_group_shuffle(value, ctz(mask))));
    *all = (same & mask) == mask;
    return *all ? mask : 0;
}
template <typename T> __device__ T __ldg(const T* from) { return *from; }
template <typename T, typename S> __device__ T* memcpy(T* to, const S* from, unsigned long bytes) {
    const unsigned long whole = bytes / sizeof(T);
    for (unsigned long i = 0; i < whole; ++i)
        to[i] = ((const T*)from)[i];
    for (unsigned long i = whole * sizeof(T); i < bytes; ++i)
        ((unsigned char*)to)[i] = ((const unsigned char*)from)[i];
    return to;
}
template <typename T> __device__ T* memset(T* to, int value, unsigned long bytes) {
    for (unsigned long i = 0; i < bytes; ++i)
        ((unsigned char*)to)[i] = value;
    return to;
}
__device__ int abs(int x) { return x < 0 ? -x : x; }
__device__ long abs(long x) { return x < 0 ? -x : x; }
__device__ float abs(float x) { return fabs(x); }
__device__ double abs(double x) { return fabs(x); }
__device__ unsigned __sad(int x, int y, unsigned z) { return abs_diff(x, y) + z; }
__device__ unsigned __usad(unsigned x, unsigned y, unsigned z) { return abs_diff(x, y) + z; }
__device__ int __ffs(int x) { return x == 0 ? 0 : 32 - (int)clz(x & -x); }
__device__ int __ffsll(long x) { return x == 0 ? 0 : 64 - (int)clz(x & -x); }
__device__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long)high << 32 | low) << (by & 31)) >> 32);
}
__device__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long)high << 32 | low) >> (by & 31));
}
__device__ unsigned __byte_perm(unsigned x, unsigned y, unsigned which) {
    const unsigned long both = (unsigned long)y << 32 | x;
    unsigned taken = 0;
    for (unsigned i = 0; i < 4; ++i)
        taken |= (unsigned)(both >> 8 * (which >> 4 * i & 7) & 255) << 8 * i;
    return taken;
}
__device__ unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
__device__ unsigned long __brevll(unsigned long x) {
    return (unsigned long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
__device__ float __fadd_rn(float x, float y) { return x + y; }
__device__ float __fsub_rn(float x, float y) { return x - y; }
__device__ float __fmul_rn(float x, float y) { return x * y; }
__device__ float __fdiv_rn(float x, float y) { return x / y; }
__device__ float __frcp_rn(float x) { return 1.0f / x; }
__device__ float __fsqrt_rn(float x) { return sqrt(x); }
__device__ float __frsqrt_rn(float x) { return rsqrt(x); }
__device__ double __dadd_rn(double x, double y) { return x + y; }
__device__ double __dsub_rn(double x, double y) { return x - y; }
__device__ double __dmul_rn(double x, double y) { return x * y; }
__device__ double __ddiv_rn(double x, double y) { return x / y; }
__device__ double __drcp_rn(double x) { return 1.0 / x; }
__device__ double __dsqrt_rn(double x) { return sqrt(x); }
__device__ float rcbrtf(float x) { return 1.0f / cbrt(x); }
__device__ double rcbrt(double x) { return 1.0 / cbrt(x); }
__device__ float norm3df(float x, float y, float z) { return sqrt(x * x + y * y + z * z); }
__device__ float norm4df(float x, float y, float z, float w) { return sqrt(x * x + y * y + z * z + w * w); }
__device__ float rnorm3df(float x, float y, float z) { return rsqrt(x * x + y * y + z * z); }
__device__ float rhypotf(float x, float y) { return 1.0f / hypot(x, y); }
template <typename T> __device__ T normf(int count, const T* of) {
    T squares = 0;
    for (int i = 0; i < count; ++i)
        squares += of[i] * of[i];
    return sqrt(squares);
}
template <typename T> __device__ T norm(int count, const T* of) { return normf(count, of); }
template <typename T> __device__ void sincosf(float x, T* sine, T* cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}
template <typename T> __device__ void __sincosf(float x, T* sine, T* cosine) {
    *sine = native_sin(x);
    *cosine = native_cos(x);
}
__device__ long lroundf(float x) { return (long)round(x); }
__device__ long llroundf(float x) { return (long)round(x); }
__device__ long lround(double x) { return (long)round(x); }
__device__ long llround(double x) { return (long)round(x); }
__device__ long lrintf(float x) { return (long)rint(x); }
__device__ long llrintf(float x) { return (long)rint(x); }
__device__ long lrint(double x) { return (long)rint(x); }
__device__ long llrint(double x) { return (long)rint(x); }
__device__ float __saturatef(float x) { return fmin(fmax(x, 0.0f), 1.0f); }
enum { thread_scope_thread, thread_scope_block, thread_scope_device, thread_scope_system };
struct atomic_ref;
struct atomic;
// Cooperative groups: cooperative_groups::sync is __cg_sync, and g.sync() is __cg_sync(g). A block is 0; a tile, and
// threads that came together, are the mask of their lanes.
struct __cg_thread_block;
struct __cg_grid_group;
struct __cg_thread_group;
struct __cg_coalesced_group;
struct __cg_thread_block_tile;
struct __cg_plus;
struct __cg_less;
struct __cg_greater;
struct __cg_bit_and;
struct __cg_bit_or;
struct __cg_bit_xor;
__device__ __cg_thread_block __cg_this_thread_block() { return 0; }
__device__ __cg_grid_group __cg_this_grid() { return 0; }
__device__ __cg_coalesced_group __cg_coalesced_threads() { return __activemask(); }
template <unsigned N, typename G> __device__ __cg_thread_block_tile<N> __cg_tiled_partition(G of) {
    return ~0u >> (32 - N) << get_sub_group_local_id() / N * N;
}
__device__ __cg_thread_group __cg_tiled_partition(__cg_thread_group of, unsigned n) {
    return ~0u >> (32 - n) << get_sub_group_local_id() / n * n;
}
__device__ void __cg_sync(__cg_thread_block g) { barrier(3); }
__device__ unsigned __cg_thread_rank(__cg_thread_block g) { return get_local_linear_id(); }
__device__ unsigned __cg_size(__cg_thread_block g) {
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}
__device__ unsigned __cg_num_threads(__cg_thread_block g) { return __cg_size(g); }
__device__ uint3 __cg_thread_index(__cg_thread_block g) {
    return (uint3)((unsigned)get_local_id(0), (unsigned)get_local_id(1), (unsigned)get_local_id(2));
}
__device__ uint3 __cg_group_index(__cg_thread_block g) {
    return (uint3)((unsigned)get_group_id(0), (unsigned)get_group_id(1), (unsigned)get_group_id(2));
}
__device__ uint3 __cg_dim_threads(__cg_thread_block g) {
    return (uint3)((unsigned)get_local_size(0), (unsigned)get_local_size(1), (unsigned)get_local_size(2));
}
__device__ uint3 __cg_group_dim(__cg_thread_block g) { return __cg_dim_threads(g); }
__device__ unsigned __cg_num_blocks(__cg_grid_group g) {
    return get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
}
__device__ unsigned __cg_block_rank(__cg_grid_group g) {
    return (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
}
__device__ void __cg_sync(__cg_grid_group g) { __grid_barrier(3); }
__device__ unsigned long __cg_size(__cg_grid_group g) { return __cg_num_blocks(g) * __cg_size((__cg_thread_block)0); }
__device__ unsigned long __cg_num_threads(__cg_grid_group g) { return __cg_size(g); }
__device__ unsigned long __cg_thread_rank(__cg_grid_group g) {
    return __cg_block_rank(g) * __cg_size((__cg_thread_block)0) + get_local_linear_id();
}
__device__ int __cg_is_valid(__cg_grid_group g) { return 1; }
__device__ void __cg_sync(__cg_thread_group g) {
    if (g == 0)
        barrier(3);
    else
        __syncwarp(g);
}
__device__ unsigned __lanes_before(unsigned mask) {
    return popcount(mask & (1u << get_sub_group_local_id()) - 1);
}
__device__ unsigned __cg_thread_rank(__cg_thread_group g) {
    return g == 0 ? get_local_linear_id() : __lanes_before(g);
}
__device__ unsigned __cg_size(__cg_thread_group g) {
    return g == 0 ? __cg_size((__cg_thread_block)0) : popcount((unsigned)g);
}
__device__ unsigned __cg_num_threads(__cg_thread_group g) { return __cg_size(g); }
template <unsigned N> __device__ unsigned __cg_size(__cg_thread_block_tile<N> g) { return N; }
template <unsigned N> __device__ unsigned __cg_num_threads(__cg_thread_block_tile<N> g) { return N; }
template <unsigned N> __device__ unsigned __cg_meta_group_rank(__cg_thread_block_tile<N> g) {
    return get_local_linear_id() / N;
}
template <unsigned N> __device__ unsigned __cg_meta_group_size(__cg_thread_block_tile<N> g) {
    return (__cg_size((__cg_thread_block)0) + N - 1) / N;
}
template <unsigned N, typename T> __device__ T __cg_shfl(__cg_thread_block_tile<N> g, T value, int from) {
    return __shfl_sync(g, value, from, N);
}
template <unsigned N, typename T> __device__ T __cg_shfl_up(__cg_thread_block_tile<N> g, T value, unsigned by) {
    return __shfl_up_sync(g, value, by, N);
}
template <unsigned N, typename T> __device__ T __cg_shfl_down(__cg_thread_block_tile<N> g, T value, unsigned by) {
    return __shfl_down_sync(g, value, by, N);
}
template <unsigned N, typename T> __device__ T __cg_shfl_xor(__cg_thread_block_tile<N> g, T value, int bits) {
    return __shfl_xor_sync(g, value, bits, N);
}
template <unsigned N> __device__ unsigned __cg_ballot(__cg_thread_block_tile<N> g, int holds) {
    return (__ballot_sync(g, holds) & g) >> get_sub_group_local_id() / N * N;
}
template <typename G> __device__ void __cg_sync(G g) { __syncwarp(g); }
template <typename G> __device__ void __cg_synchronize(G g) { __cg_sync(g); }
template <typename G> __device__ unsigned __cg_thread_rank(G g) { return __lanes_before(g); }
template <typename G> __device__ unsigned __cg_size(G g) { return popcount((unsigned)g); }
template <typename G> __device__ unsigned __cg_num_threads(G g) { return popcount((unsigned)g); }
template <typename G> __device__ int __cg_any(G g, int holds) { return __any_sync(g, holds); }
template <typename G> __device__ int __cg_all(G g, int holds) { return __all_sync(g, holds); }
template <typename T> __device__ T __cg_shfl(__cg_coalesced_group g, T value, unsigned from) {
    unsigned rest = g;
    for (; from > 0; --from)
        rest &= rest - 1;
    return __lanes(g, sub_group_shuffle(value, ctz(rest)));
}
template <typename G> __device__ __cg_coalesced_group __cg_binary_partition(G g, int holds) {
    const unsigned those = __ballot_sync(g, holds) & g;
    return holds ? those : g & ~those;
}
template <typename G, typename T> __device__ __cg_coalesced_group __cg_labeled_partition(G g, T label) {
    return __match_any_sync(g, label);
}
template <typename G, typename S, typename T> __device__ T __cg_reduce(G g, S value, __cg_plus<T> by) {
    return __reduce_add_sync(g, (T)value);
}
template <typename G, typename S, typename T> __device__ T __cg_reduce(G g, S value, __cg_less<T> by) {
    return __reduce_min_sync(g, (T)value);
}
template <typename G, typename S, typename T> __device__ T __cg_reduce(G g, S value, __cg_greater<T> by) {
    return __reduce_max_sync(g, (T)value);
}
template <typename G, typename S, typename T> __device__ T __cg_reduce(G g, S value, __cg_bit_and<T> by) {
    return __reduce_and_sync(g, (T)value);
}
template <typename G, typename S, typename T> __device__ T __cg_reduce(G g, S value, __cg_bit_or<T> by) {
    return __reduce_or_sync(g, (T)value);
}
template <typename G, typename S, typename T> __device__ T __cg_reduce(G g, S value, __cg_bit_xor<T> by) {
    return __reduce_xor_sync(g, (T)value);
}
