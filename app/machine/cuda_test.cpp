// CUDA C++, run: what each small kernel leaves in its only buffer, worked out by CUDA's rules.
#include <gmock/gmock.h>

#include "support/small_kernels.h"

namespace lab::machine {
namespace {

using testing::HasSubstr;

std::string cuda(const std::string& text, std::size_t elements, Items items = {}) {
    return outcome("//! cuda\n" + text, elements, items);
}

struct CudaCase {
    const char* text;
    const char* leaves;
};

TEST(Cuda, Expressions) {
    static constexpr CudaCase kCases[] = {
        {"__global__ void k(int* o) { o[threadIdx.x] = blockDim.x * 10 + gridDim.x; }", "11 0 0 0"},
        {"__global__ void k(int* o) { int local = 3, global = local; o[0] = global; }", "3 0 0 0"},
        {"__global__ void k(int* o) { o[0] = static_cast<int>(2.9f) + int(3.9f) + int{4}; }",
         "9 0 0 0"},
        {"__global__ void k(int* o) { auto a = 1.5f; auto* p = o; auto& r = p[1]; r = a * 2; }",
         "0 3 0 0"},
        {"__global__ void k(int* o) { int x(7), y{8}; o[0] = x; o[1] = y; }", "7 8 0 0"},
        {"__device__ void swap(int& a, int& b) { int t = a; a = b; b = t; }\n"
         "__global__ void k(int* o) { int x = 1; o[0] = 2; swap(o[0], x); o[1] = x; }",
         "1 2 0 0"},
        {"__device__ int f(int a, int b = 5) { return a * 10 + b; }\n"
         "__device__ int f(float a) { return 1; }\n"
         "__global__ void k(int* o) { o[0] = f(1); o[1] = f(1, 2); o[2] = f(1.0f); }",
         "15 12 1 0"},
        {"template <typename T> __device__ T most(T a, T b) { return a > b ? a : b; }\n"
         "__global__ void k(int* o) { o[0] = most(1, 2); o[1] = most(2.5f, 1.0f) * 2; }",
         "2 5 0 0"},
        {"template <int N, typename T = int> __device__ T times(T x) { return x * N; }\n"
         "__global__ void k(int* o) { o[0] = times<3>(2); o[1] = times<2, float>(1.5f); }",
         "6 3 0 0"},
        {"constexpr int kSize = 2; const int kTwice = kSize * 2;\n"
         "__constant__ int table[kTwice] = {1, 2, 3, 4};\n"
         "__global__ void k(int* o) { int a[kTwice]; a[3] = table[kTwice - 1]; o[0] = a[3]; }",
         "4 0 0 0"},
        {"struct Pair { int a, b; };\n__device__ Pair make(int a) { Pair p = {a, a + 1}; return p; "
         "}\n"
         "__global__ void k(int* o) { Pair p = make(4); o[0] = p.a; o[1] = p.b; }",
         "4 5 0 0"},
        {"using Word = unsigned; namespace mine { __device__ Word two() { return 2; } }\n"
         "__global__ void k(int* o) { o[0] = mine::two() + __popc(7u) + abs(-3) + __ffs(8); }",
         "12 0 0 0"},
        {"__global__ void k(int* o) { float4 v = make_float4(1, 2, 3, 4); o[0] = fmaxf(v.x, v.w);\n"
         "o[1] = sqrtf(16); o[2] = 1.5f ? 1 : 2; o[3] = 7ull; }",
         "4 4 1 7"},
        {"__device__ int twice(const int* p) { return *p * 2; }\n"
         "__global__ void k(int* o) { __shared__ int s[2]; int own = 4; s[0] = 3; o[2] = 5;\n"
         "o[0] = twice(s); o[1] = twice(&own); o[3] = twice(o + 2); }",
         "6 8 5 10"},
        {"static_assert(sizeof(long long) == 8, \"eight\");\n"
         "__global__ void __launch_bounds__(64) k(int* __restrict__ o) { if constexpr (true) o[0] "
         "= 1; }",
         "1 0 0 0"},
    };
    for (const CudaCase& each : kCases)
        EXPECT_EQ(cuda(each.text, 4), each.leaves) << each.text;
}

TEST(Cuda, AtomicsAreThoseOfEachType) {
    EXPECT_EQ(cuda("__global__ void k(unsigned* o) { atomicInc(&o[0], 2); atomicDec(&o[1], 2); }",
                   2, {4, 4, 1}),
              "1 2");
    EXPECT_EQ(cuda("__global__ void k(float* o) { atomicAdd(o, 0.5f); atomicAdd_block(o + 1, 1); }",
                   2, {4, 4, 1}),
              "2 4");
    EXPECT_EQ(cuda("__global__ void k(double* o) { atomicAdd_system(o, 0.25); }", 1, {4, 4, 1}),
              "1");
    EXPECT_EQ(
        cuda("__global__ void k(int* o) { if (atomicCAS(o, 0, 5) == 0) atomicExch(o + 1, 7);\n"
             "atomicMax(o, 6); atomicMin(o + 1, 3); atomicOr(o + 2, 1 << threadIdx.x); }",
             3, {4, 4, 1}),
        "6 3 15");
    // One's own beside them.
    EXPECT_EQ(cuda("__device__ float atomicMax(float* at, float by) { *at = by * 2; return by; }\n"
                   "__global__ void k(float* o) { int i = 1; __shared__ int s; s = 0;\n"
                   "atomicMax(&s, i); atomicMax(o, 2.0f); o[1] = s; }",
                   2),
              "4 1");
    EXPECT_THAT(cuda("__global__ void k(float* o) { atomicMin(o, 1.0f); }", 1),
                HasSubstr("'atomicMin' does not take a float"));
}

TEST(Cuda, LanesOfAWarpTakeEachOthersValues) {
    const auto of = [](const std::string& value) {
        return cuda(
            "__global__ void k(int* o) { const int l = threadIdx.x; o[l] = " + value + "; }", 8,
            {8, 8, 8});
    };
    EXPECT_EQ(of("__shfl_down_sync(0xffffffff, l, 2)"), "2 3 4 5 6 7 6 7");
    EXPECT_EQ(of("__shfl_up_sync(0xffffffff, l, 1, 4)"), "0 0 1 2 4 4 5 6");
    EXPECT_EQ(of("__shfl_xor_sync(0xffffffff, l * 10, 1)"), "10 0 30 20 50 40 70 60");
    EXPECT_EQ(of("__shfl_sync(0xffffffff, l, 5, 4)"), "1 1 1 1 5 5 5 5");
    EXPECT_EQ(of("__ballot_sync(0xff, l > 5)"), "192 192 192 192 192 192 192 192");
    EXPECT_EQ(of("__reduce_add_sync(0xff, l) + __any_sync(0xff, l == 3) * 100"),
              "128 128 128 128 128 128 128 128");
    EXPECT_EQ(of("warpSize + __popc(__activemask())"), "16 16 16 16 16 16 16 16");
    // Two halves, each for itself.
    EXPECT_EQ(of("__shfl_down_sync(l < 4 ? 0x0f : 0xf0, l, 1, 4)"), "1 2 3 3 5 6 7 7");
}

TEST(Cuda, AMaskNamesThoseWhoCome) {
    const auto of = [](const std::string& statement) {
        return cuda("__global__ void k(int* o) { const int l = threadIdx.x; int v = l;\n" +
                        statement + "\no[l] = v; }",
                    4, {4, 4, 4});
    };
    EXPECT_EQ(of("if (l < 2) v = __shfl_xor_sync(3, v, 1);"), "1 0 2 3");
    EXPECT_THAT(of("if (l < 2) v = __shfl_xor_sync(0xffffffff, v, 1);"),
                HasSubstr("Not all work-items of sub-group 0 of group 0 come to the call"));
    EXPECT_THAT(of("v = __shfl_xor_sync(7, v, 1);"),
                HasSubstr("Work-item 3 makes the call in line 3, but its mask does not name it"));
    EXPECT_THAT(of("if (l < 2) v = __shfl_sync(3, v, 2);"),
                HasSubstr("Work-item 0 takes the value of work-item 2"));
    // Who has ended need not come.
    EXPECT_EQ(of("if (l == 3) return; __syncwarp(); v = __reduce_add_sync(0xffffffff, v);"),
              "3 3 3 0");
}

// Each work-item a warp of its own, and all in one.
TEST(Cuda, ABarrierWaitsForThoseWhoHaveNotEnded) {
    for (const std::uint32_t lanes : {1U, 4U}) {
        const auto of = [&](const std::string& text, std::size_t elements) {
            return cuda(
                "__global__ void k(int* o) { const int l = threadIdx.x; __shared__ int s[4];\n" +
                    text + " }",
                elements, {4, 4, lanes});
        };
        EXPECT_EQ(
            of("if (l == 3) return; s[l] = l + 1; __syncthreads(); o[l] = s[(l + 1) % 3];", 4),
            "2 3 1 0");
        EXPECT_EQ(of("if (l == 0) return; o[l] = __syncthreads_count(l > 1) * 10 +\n"
                     "__syncthreads_or(l == 0) + __syncthreads_and(l > 0);",
                     4),
                  "0 21 21 21");
        EXPECT_EQ(
            of("s[l] = l; __syncthreads(); if (l > 0) return; o[0] = s[3]; __syncthreads();", 1),
            "3");
        EXPECT_THAT(of("if (l < 2) __syncthreads(); else o[l] = 1; __syncthreads();", 4),
                    HasSubstr("Not all work-items of group 0 come to the barrier"));
    }
    // The last that is waited for ends without a barrier.
    EXPECT_EQ(
        cuda("__global__ void k(int* o) { if (threadIdx.x == 0) { o[0] = 1; o[1] = 2; return; }\n"
             "__syncthreads(); o[2] = 3; }",
             3, {2, 2, 1}),
        "1 2 3");
}

TEST(Cuda, SharedMemoryOfAFunctionIsOneForAllItsCalls) {
    EXPECT_EQ(cuda("__device__ int change(int to, bool looks) { __shared__ int s; int was = 0;\n"
                   "if (looks) was = s; s = to; return was; }\n"
                   "__global__ void k(int* o) { change(4, false); o[0] = change(5, true);\n"
                   "o[1] = change(6, true); }",
                   2),
              "4 5");
}

}  // namespace
}  // namespace lab::machine
