// CUDA C++, run: what each small kernel leaves in its only buffer, worked out by CUDA's rules.
#include <gmock/gmock.h>

#include "lang/record.h"
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
        // A value of a template's parameter ends no declaration.
        {"template <typename T = int, int N = sizeof(T)> __global__ void k(T* o) { o[0] = N; }\n"
         "void host() { cudaMalloc(0, 4); }\nint main() { int* a = 0; k<><<<1, 1>>>(a); }",
         "4 0 0 0"},
        // Nor does a constant of the host stop its template from being made.
        {"template <typename T, int B> __global__ void k(T* o) { o[0] = B; }\n"
         "void other() { constexpr int B = 4; }\n"
         "int main() { constexpr int B = 8; int* a = 0; k<int, B><<<1, B>>>(a); }",
         "8 0 0 0"},
        {"__global__ void k(int* o) { o[0] = INFINITY > 1e38f; o[1] = -INFINITY < -HUGE_VALF;\n"
         "o[2] = isnan(NAN); o[3] = HUGE_VAL > 1e308; }",
         "1 0 1 1"},
        {"__global__ void k(int* o) { o[0] = __float2int_rn(2.5f); o[1] = __float2int_ru(2.5f);\n"
         "o[2] = __ffsll(1LL << 40); o[3] = __byte_perm(0x03020100, 0x07060504, 0x5410) == "
         "0x05040100; }",
         "2 3 41 1"},
        {"__global__ void k(int* o) { o[0] = __funnelshift_l(0x80000000u, 1u, 1);\n"
         "o[1] = __funnelshift_r(2u, 1u, 1) == 0x80000001u; o[2] = INT64_MIN < 0; o[3] = 0; }",
         "3 1 1 0"},
        {"__global__ void k(int* o) { o[0] = static_cast<int>(2.9f) + int(3.9f) + int{4}; }",
         "9 0 0 0"},
        {"__global__ void k(int* o) { auto a = 1.5f; auto* p = o; auto& r = p[1]; r = a * 2; }",
         "0 3 0 0"},
        {"__global__ void k(int* o) { int x(7), y{8}; o[0] = x; o[1] = y; }", "7 8 0 0"},
        {"enum class Way : unsigned char { up = 3, down };\n"
         "__global__ void k(int* o) { Way w = Way::down; o[0] = (int)w; o[1] = sizeof(Way);\n"
         "for (int i = 0; i < 2 ? true : false; ++i) o[2] += 1; }",
         "4 1 2 0"},
        {"__global__ void k(int* o) { o[0] = std::numeric_limits<int>::max() == 0x7fffffff;\n"
         "o[1] = std::numeric_limits<short>::min(); o[2] = std::numeric_limits<float>::lowest() < "
         "-1e38f;\no[3] = std::numeric_limits<unsigned>::max() == ~0u; }",
         "1 -32768 1 1"},
        {"__global__ void k(int* o) { float s, c; sincosf(0.0f, &s, &c); o[0] = s + 2 * c;\n"
         "float v[2] = {3, 4}; o[1] = normf(2, v) + rcbrtf(0.125f); o[2] = lroundf(-2.5f);\n"
         "o[3] = __brevll(1ull << 62) + __fadd_rn(__fmul_rn(2, 3), 4); }",
         "2 7 -3 12"},
        {"__global__ void k(int* o) { int all = 5; o[0] = __match_all_sync(1, 7, &all);\n"
         "o[1] = all; }",
         "1 1 0 0"},
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
        {"template <typename T> __device__ int size(T) { return sizeof(T); }\n"
         "__device__ int of(bool) { return 1; }\n__device__ int of(unsigned) { return 2; }\n"
         "__device__ int of(int) { return 3; }\n__device__ int of(char) { return 4; }\n"
         "__global__ void k(int* o) { const int i = threadIdx.x;\n"
         "o[0] = sizeof('a') * 1000 + sizeof(i < 2) * 100 + sizeof(true) * 10 + sizeof(!i);\n"
         "o[1] = size(i && i) * 1000 + size('a') * 100 + size(i ? 'a' : 'b') * 10 + size('a' + "
         "0);\n"
         "o[2] = of('a') * 1000 + of(i < 2) * 100 + of(!o) * 10 + of((short)i);\n"
         "auto b = i < 100, c = false; b = 7; auto r = 'a'; r = 300; o[3] = b * 1000 + r + c; }",
         "1111 1114 4113 1044"},
        // CUDA's own functions take numbers of their own types.
        {"__global__ void k(int* o) { const char c = -1; const short s = 1; const bool b = o;\n"
         "o[0] = __popc(c) * 100 + __clz(s); o[1] = __popcll(-1) * 100 + __clzll(1);\n"
         "o[2] = __sad(-3, 4, 10u) * 1000 + __usad(1u, 5u, 1u) * 10 + __uhadd(3u, 6u);\n"
         "o[3] = __reduce_add_sync(1, b) + __float2int_rn(2.5000000001) + sizeof(min('a', 'b')); }",
         "3231 6463 17054 7"},
        {"#if true && !false && '\\377' < 0\n__global__ void k(int* o) { o[0] = 0b101 + 1'000; }\n"
         "#endif",
         "1005 0 0 0"},
        {"static_assert(sizeof(long long) == 8, \"eight\");\n"
         "__global__ void __launch_bounds__(64) k(int* __restrict__ o) { if constexpr (true) o[0] "
         "= 1; }",
         "1 0 0 0"},
    };
    for (const CudaCase& each : kCases)
        EXPECT_EQ(cuda(each.text, 4), each.leaves) << each.text;
}

// On the simulator and in OpenCL C alike.
TEST(Cuda, ThreeComponentsLieAsThree) {
    static constexpr CudaCase kCases[] = {
        {"__global__ void k(int* o) { int3* p = (int3*)o; p[0] = make_int3(1, 2, 3); p[1].x = 4; }",
         "1 2 3 4"},
        {"__device__ void turn(int3& a, int3* b) { const int3 t = a; a = *b; *b = t; }\n"
         "struct Two { char c; int3 v; };\n"
         "__global__ void k(int* o) { __shared__ int3 s[2]; int3 a = make_int3(1, 2, 3), last;\n"
         "Two two = {'c', make_int3(7, 8, 9)}; s[1] = two.v; turn(a, &s[1]);\n"
         "last = s[0] = s[1]; o[0] = a.z; o[1] = last.y; o[2] = ((int*)s)[3];\n"
         "o[3] = sizeof(two) + sizeof(s); }",
         "9 2 1 40"},
        {"__constant__ int3 kAll[2] = {{1, 2, 3}, {4, 5, 6}};\n"
         "__device__ int3 of(int i) { return kAll[i]; }\n"
         "__global__ void k(int* o) { o[0] = of(1).y; o[1] = kAll[0].z; o[2] = sizeof(double4); }",
         "5 3 32 0"}};
    for (const CudaCase& each : kCases) {
        EXPECT_EQ(cuda(each.text, 4), each.leaves) << each.text;
        const lang::Text printed = lang::opencl_text({"k.cu", each.text, ""}).text;
        EXPECT_EQ(outcome(printed.text, 4), each.leaves) << printed.text;
    }
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
    EXPECT_EQ(of("__match_any_sync(0xff, l % 3)"), "73 146 36 73 146 36 73 146");
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
                HasSubstr("Lanes of sub-group 0 of group 0 do not come to the call in line 3 "
                          "together"));
    EXPECT_THAT(of("v = __shfl_xor_sync(7, v, 1);"),
                HasSubstr("Work-item 3 makes the call in line 3, but its mask does not name it"));
    EXPECT_THAT(of("if (l < 2) v = __shfl_sync(3, v, 2);"),
                HasSubstr("Work-item 0 takes the value of work-item 2"));
    // Undefined, as the Programming Guide has it.
    EXPECT_THAT(of("v = __shfl_xor_sync(l == 0 ? 3 : 15, v, 1);"),
                HasSubstr("Work-items 0 and 1 make the call in line 3 with different masks"));
    EXPECT_THAT(of("__syncwarp(l == 3 ? 15 : 7);"),
                HasSubstr("Work-items 3 and 0 make the call in line 3 with different masks"));
    EXPECT_THAT(of("v = __shfl_xor_sync(l < 2 ? 3 : 12, v, 2);"),
                HasSubstr("Work-item 0 takes the value of lane 2 in line 3, which its mask does"));
    EXPECT_THAT(of("v = __shfl_down_sync(15, v, 1, 3);"), HasSubstr("comes to assert(width"));
    EXPECT_THAT(cuda("__global__ void k(int* o) {\n"
                     "o[threadIdx.x] = __shfl_down_sync(0xffffffff, o[threadIdx.x], 1); }",
                     4, {4, 4, 8}),
                HasSubstr("Work-item 3 takes the value of lane 4 in line 3, which does not exist"));
    EXPECT_EQ(of("v = __shfl_xor_sync(l < 2 ? 3 : 12, v, 1); __syncwarp(l < 2 ? 3 : 12);"),
              "1 0 3 2");
    // Who has ended need not come.
    EXPECT_EQ(of("if (l == 3) return; __syncwarp(); v = __reduce_add_sync(0xffffffff, v);"),
              "3 3 3 0");
}

// Without return as well.
TEST(Cuda, LanesWithNothingLeftToDoHaveEnded) {
    for (const std::string barrier : {"__syncwarp();", "__syncthreads();"}) {
        const std::string loop = "for (int i = 0; i <= l; ++i) { o[l] += i; " + barrier + " }\n";
        const auto of = [](const std::string& body) {
            return cuda(
                "__global__ void k(int* o) { const int l = threadIdx.x; o[l] = 0;\n" + body + "}",
                4, {4, 4, 4});
        };
        EXPECT_EQ(of(loop), "0 1 3 6") << barrier;
        EXPECT_EQ(of("if (l > 0) { " + loop + "}"), "0 1 3 6") << barrier;
        EXPECT_THAT(of(loop + "o[l] += 1;"), HasSubstr("come to")) << barrier;
        EXPECT_THAT(of("for (int j = 0; j < 2; ++j) { " + loop + "}"), HasSubstr("come to"))
            << barrier;
    }
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

// One of the device, whoever calls its function; each instance of a template has its own.
TEST(Cuda, AStaticVariableIsOneOfTheProgram) {
    const auto of = [](const std::string& functions, const std::string& body) {
        return cuda(functions + "__global__ void k(int* o) { " + body + " }", 4);
    };
    EXPECT_EQ(of("__device__ int f() { static int n = 5; n += 1; return n; }\n"
                 "__device__ int g() { static int n; return n++; }\n",
                 "o[0] = f(); o[1] = g(); o[2] = f(); o[3] = g();"),
              "6 0 7 1");
    EXPECT_EQ(of("template <int N> __device__ int f() { static int n = N; return n++; }\n",
                 "o[0] = f<1>(); o[1] = f<5>(); o[2] = f<1>(); o[3] = f<5>();"),
              "1 5 2 6");
    // Its text is read for each kind of memory.
    EXPECT_EQ(of("__device__ int f(const int* p) { static int n; return n++ + *p; }\n",
                 "__shared__ int s; s = 3; o[0] = f(&s); o[1] = f(o + 2);"),
              "3 1 0 0");
    EXPECT_EQ(of("__device__ int f(int i) { static const int t[] = {3, 4}; return t[i]; }\n",
                 "static constexpr int N = 3; int a[N] = {}; static __shared__ int s; s = 2;\n"
                 "static int n; o[0] = f(1); o[1] = sizeof(a) / sizeof(int); o[2] = s;\n"
                 "atomicAdd(&n, 4); o[3] = n;"),
              "4 3 2 4");
    EXPECT_EQ(
        cuda("__global__ void k(int* o) { static int n; o[atomicAdd(&n, 1)] = 1; }", 4, {4, 2, 1}),
        "1 1 1 1");
}

TEST(Cuda, AConstantReferenceIsNoCopyOfWhatLiesInMemory) {
    EXPECT_EQ(
        cuda("__device__ int after(const int& a, int& b) { b = 50; return a; }\n"
             "struct Sum { int s; __device__ void add(const Sum& o) { s += o.s; s += o.s; } };\n"
             "__global__ void k(int* o) { int x = 1; Sum sum{1}; sum.add(sum);\n"
             "o[0] = after(x, x); o[1] = sum.s; o[2] = 7; o[3] = after(o[2], o[2]); }",
             4),
        "50 4 50 50");
    EXPECT_EQ(cuda("__global__ void k(int* o) { int x = 1; const int& a = x; const auto& b = x;\n"
                   "const int& c = x + 1; const int& d = x == 1 ? o[0] : o[1];\n"
                   "x = 5; o[0] = 3; o[1] = a; o[2] = b * 10 + c; o[3] = d; }",
                   4),
              "3 5 52 3");
    // Behind the barrier it is what the others wrote.
    EXPECT_EQ(cuda("template <typename T> __device__ T late(const T& a) { __syncthreads();\n"
                   "return a; }\n"
                   "__global__ void k(int* o) { __shared__ int s[2]; const int t = threadIdx.x;\n"
                   "s[t] = 1; __syncthreads(); const int& a = s[1 - t]; s[t] = t + 2;\n"
                   "o[t] = late(s[1 - t]) * 10 + a; }",
                   2, {2, 2, 1}),
              "33 22");
    // A function may return one.
    EXPECT_EQ(
        cuda("template <typename T> __device__ const T& most(const T& a, const T& b) {\n"
             "return a < b ? b : a; }\n"
             "__global__ void k(int* o) { int x = 2; o[1] = 1; const int& r = most(o[0], o[1]);\n"
             "o[1] = 5; o[2] = r; o[3] = most(x, 3) + most(o[1], x); }",
             4),
        "0 5 5 8");
    // Of any other value, and of another type, it is a copy.
    EXPECT_EQ(cuda("__device__ float half_of(const float& a) { return a / 2; }\n"
                   "__global__ void k(int* o) { o[0] = 3; o[1] = half_of(o[0]) * 2; }",
                   2),
              "3 3");
}

TEST(Cuda, PrintfReturnsHowManyValuesItPrints) {
    EXPECT_EQ(cuda("__global__ void k(int* o) { printf(\"x\"); o[0] = printf(\"x\");\n"
                   "o[1] = printf(\"%d %s\", 1, \"x\"); }",
                   2),
              "0 2");
}

TEST(Cuda, TheSizesOfALaunchAreValues) {
    EXPECT_EQ(cuda("__global__ void k(int* o) { dim3 d = blockDim; uint3 t = threadIdx;\n"
                   "if (t.x == 1) { o[0] = d.x; o[1] = d.z; [[maybe_unused]] int x = 1;\n"
                   "switch (x) { case 1: x = 2; [[fallthrough]]; default: o[2] = x; } } }",
                   3, {4, 2, 1}),
              "2 1 2");
}

TEST(Cuda, SharedMemoryOutsideOfFunctionsIsTheGroups) {
    EXPECT_EQ(
        cuda("__shared__ int s[2]; __shared__ int sum;\n"
             "__device__ void put(int v) { s[threadIdx.x] = v; }\n"
             "__global__ void k(int* o) { put(threadIdx.x + blockIdx.x * 10 + 1);\n"
             "__syncthreads(); if (threadIdx.x == 0) { sum = s[0] + s[1]; o[blockIdx.x] = sum; } }",
             2, {4, 2, 1}),
        "3 23");
}

// A kernel's last argument, which functions have, too, under names and types of their own.
TEST(Cuda, SharedMemoryOfTheLaunchIsOneForAllFunctions) {
    const auto left = [](const std::string& text) {
        const lang::Compiled compiled = lang::compile({"k.cu", text, ""});
        EXPECT_TRUE(compiled.code && compiled.code->parameters.size() == 2U);
        return cuda(text, 4, {4, 4, 4});
    };
    EXPECT_EQ(left("__device__ void put(int v) { extern __shared__ int s[]; s[threadIdx.x] = v; }\n"
                   "__device__ int sum(int& most) { extern __shared__ int all[]; put(most);\n"
                   "__syncthreads(); return all[0] + all[3]; }\n"
                   "__global__ void k(int* o) { int l = threadIdx.x; o[l] = sum(l); }"),
              "3 3 3 3");
    EXPECT_EQ(
        left("template <typename T> struct Shared {\n"
             "__device__ inline operator T*() { extern __shared__ int s[]; return (T*)s; }\n"
             "__device__ inline operator const T*() const { extern __shared__ int s[]; return "
             "(T*)s; } };\n"
             "template <> struct Shared<double> {\n"
             "__device__ inline operator double*() { extern __shared__ double d[]; return d; } };\n"
             "template <typename T> __device__ T last(T own) { T* s = Shared<T>();\n"
             "s[threadIdx.x] = own; __syncthreads(); return s[3]; }\n"
             "__global__ void k(int* o) { o[threadIdx.x] = last((int)threadIdx.x) +\n"
             "10 * last(threadIdx.x + 0.5); }"),
        "38 38 38 38");
}

TEST(Cuda, StructuresHaveFunctionsAndOperators) {
    static constexpr CudaCase kCases[] = {
        {"struct Counter { int at; __device__ int next() { return ++at; }\n"
         "__device__ int twice() { next(); return next(); } };\n"
         "__global__ void k(int* o) { Counter c = {4}; o[0] = c.twice(); o[1] = c.at;\n"
         "__shared__ Counter s; s.at = 1; o[2] = s.next(); Counter* p = &c; o[3] = p->next(); }",
         "6 6 2 7"},
        {"template <typename T, int N> class Few { public: T all[N];\n"
         "__device__ T sum() const { T s = 0; for (int i = 0; i < N; ++i) s += all[i]; return s; "
         "}\n"
         "__device__ T& operator[](int i) { return all[i]; } };\n"
         "__global__ void k(int* o) { Few<int, 2> a = {3, 4}; Few<float, 3> b = {0.5f, 1, 2};\n"
         "o[0] = a.sum(); o[1] = b.sum() * 2; o[2] = a[1]; }",
         "7 7 4 0"},
        {"struct Most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } "
         "};\n"
         "struct Sum { __device__ int operator()(int a, int b) const { return a + b; } };\n"
         "template <typename F> __device__ int fold(F f, int a, int b, int c) {\n"
         "return f(f(a, b), c); }\n"
         "__global__ void k(int* o) { Most most; o[0] = most(2, 3); o[1] = Sum()(2, 3);\n"
         "o[2] = fold(Most(), 4, 9, 5); o[3] = fold(Sum{}, 4, 9, 5); }",
         "3 5 9 18"},
        {"struct Base { int a; }; struct More : public Base { int b; };\n"
         "template <typename T, int N> __device__ T twice(T x) { return 2 * x; }\n"
         "template <> __device__ int twice<int, 3>(int x) { return x * 10; }\n"
         "__global__ void k(int* o) { More m; m.a = 4; m.b = 5; o[0] = m.a; o[1] = m.b;\n"
         "o[2] = twice<int, 2>(4); o[3] = twice<int, 3>(4); }",
         "4 5 8 40"},
        {"struct Pair { int a, b; __device__ Pair operator+(Pair p) const {\n"
         "return Pair{a + p.a, b + p.b}; } };\n"
         "__device__ bool operator<(Pair p, Pair q) { return p.a < q.a; }\n"
         "__device__ void operator+=(Pair& p, int by) { p.a += by; }\n"
         "__device__ float4 operator*(float4 v, float4 w) { v.x = v.x * w.x + 1; return v; }\n"
         "__global__ void k(int* o) { Pair p = {1, 2}, q = {3, 4}; Pair r = p + q; o[0] = r.b;\n"
         "o[1] = (p < q) * 10 + (q < p); p += 6; o[2] = p.a;\n"
         "float4 v = make_float4(2, 3, 4, 5); o[3] = (v * v).x; }",
         "6 10 7 5"},
        // Those of the base, and of what a function returns.
        {"struct Later; struct None {};\n"
         "struct Base { int a; __device__ int get() const { return a; }\n"
         "__device__ int operator[](int i) const { return a * i; } };\n"
         "struct More : Base { int b; __device__ int both() const { return get() + b; } };\n"
         "struct Later : More { int c; };\n"
         "__device__ int of(Base b) { return b.a; } __device__ int up(Base& b) { return ++b.a - 1; "
         "}\n"
         "__device__ Later make(int a, int, None) { Later l; l.a = a; l.b = 2; return l; }\n"
         "__global__ void k(int* o) { Later l = make(4, 0, None{}); o[0] = l.get(); o[1] = "
         "l.both();\n"
         "o[2] = l[3]; o[3] = make(7, 1, None{}).both() + of(l) * 100 + up(l) * 1000; Base b = l;\n"
         "b = make(5, 1, None{}); o[3] += b.a * 10000 + alignof(float4) * 100000; }",
         "4 6 12 1654409"},
    };
    for (const CudaCase& each : kCases)
        EXPECT_EQ(cuda(each.text, 4), each.leaves) << each.text;
}

// As the guide's first kernels have them: matrices, and structures that hold pointers.
TEST(Cuda, KernelsTakeMatricesAndStructuresThatHoldPointers) {
    static constexpr CudaCase kCases[] = {
        {"__global__ void k(int a[2][2]) { a[threadIdx.x][1 - threadIdx.x] = 7; a[1][1] = a[0][1]; "
         "}",
         "0 7 0 7"},
        {"__device__ int at(int m[][2], int i) { return m[i][1]; }\n"
         "__global__ void k(int (*a)[2]) { a[0][1] = 5; a[1][0] = at(a, 0) + 1; }",
         "0 5 6 0"},
        {"struct Matrix { int* all; };\n"
         "__device__ int get(const Matrix m, int i) { return m.all[i]; }\n"
         "__device__ void set(Matrix m, int i, int to) { m.all[i] = to; }\n"
         "__global__ void k(Matrix m) { set(m, 1, 4); set(m, 2, get(m, 1) + 1); }",
         "0 4 5 0"},
        {"class Store { int* p; public: __device__ void put(int v) { p[v] = v; } };\n"
         "struct Both { Store store; };\n"
         "__global__ void k(Both both) { both.store.put(2); }",
         "0 0 2 0"},
        // What they point to is another memory, where the text says so.
        {"struct View { int* p; };\n__global__ void k(int* o) { __shared__ int s[2]; View v = "
         "{s};\n"
         "View w; w.p = o; v.p[1] = 3; w.p[0] = v.p[1]; }",
         "3 0 0 0"},
        {"struct View { int* p; };\n__global__ void k(int* o) { int own[2] = {8, 9}; View v;\n"
         "v.p = own; o[0] = v.p[1]; }",
         "9 0 0 0"},
        {"__constant__ int filter[2]; __constant__ int table[2] = {4, 5};\n"
         "__device__ int first(const int* of) { return of[0]; }\n"
         "__global__ void k(int* o) { const int* p = table + 1; o[0] = filter[1] + 2;\n"
         "o[1] = *p; o[2] = first(table); o[3] = umax(umin(7u, 3u), 2u); }",
         "2 5 4 3"},
        {"typedef enum { NEAR = 1, FAR = 3 } Way;\n"
         "__global__ void k(int* o) { o[FAR] = NEAR + 2; }",
         "0 0 0 3"},
    };
    for (const CudaCase& each : kCases)
        EXPECT_EQ(cuda(each.text, 4), each.leaves) << each.text;
}

TEST(Cuda, MemoryIsCopiedAndFilled) {
    EXPECT_EQ(cuda("__global__ void k(int* o) { int own[2] = {5, 6}; __shared__ int s[3];\n"
                   "memset(s, 0, sizeof(s)); memcpy(s + 1, own, sizeof(own)); memcpy(o, s, 12);\n"
                   "float f = 1; memcpy(&o[3], &f, sizeof(f)); memset(&o[4], 1, 2); }",
                   5),
              "0 5 6 1065353216 257");
}

// Within a kernel of two groups of eight, for each of whose threads `value` is kept.
std::string of_groups(const std::string& value, std::uint32_t lanes = 8) {
    return cuda(
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "template <int N> __device__ int most(cg::thread_block_tile<N> tile, int v) {\n"
        "  for (int i = tile.size() / 2; i > 0; i /= 2) v = max(v, tile.shfl_xor(v, i));\n"
        "  return v * 10 + N; }\n"
        "template <typename G> __device__ int size_of(const G& g) { g.sync(); return g.size(); }\n"
        "__global__ void k(int* o) { cg::thread_block block = cg::this_thread_block();\n"
        "  auto tile = cg::tiled_partition<4>(block); const int l = threadIdx.x;\n"
        "  cg::grid_group grid = cg::this_grid();\n"
        "  o[grid.thread_rank()] = " +
            value + "; }",
        16, {16, 8, lanes});
}

TEST(Cuda, CooperativeGroupsAreBlocksTilesAndTheGrid) {
    EXPECT_EQ(of_groups("block.thread_rank() + 100 * block.group_index().x + 10 * block.size()"),
              "80 81 82 83 84 85 86 87 180 181 182 183 184 185 186 187");
    EXPECT_EQ(
        of_groups("tile.thread_rank() + 10 * tile.meta_group_rank() + 100 * tile.num_threads()"),
        "400 401 402 403 410 411 412 413 400 401 402 403 410 411 412 413");
    EXPECT_EQ(of_groups("tile.shfl_down(l, 1) + 10 * tile.shfl(l, 2)"),
              "21 22 23 23 65 66 67 67 21 22 23 23 65 66 67 67");
    EXPECT_EQ(
        of_groups(
            "tile.ballot(l % 4 == 1 || l == 7) + 100 * tile.any(l == 0) + 200 * tile.all(l > 3)"),
        "102 102 102 102 210 210 210 210 102 102 102 102 210 210 210 210");
    EXPECT_EQ(
        of_groups(
            "cg::reduce(tile, l, cg::plus<int>()) + 100 * cg::reduce(tile, l, cg::greater<int>())"),
        "306 306 306 306 722 722 722 722 306 306 306 306 722 722 722 722");
    EXPECT_EQ(of_groups("most(tile, l) + 100 * size_of(tile) + 1000 * size_of(block)"),
              "8434 8434 8434 8434 8474 8474 8474 8474 8434 8434 8434 8434 8474 8474 8474 8474");
    EXPECT_EQ(of_groups("0; if (l % 3 == 1) { auto some = cg::coalesced_threads();\n"
                        "o[grid.thread_rank()] = some.size() * 100 + some.thread_rank() * 10 +\n"
                        "some.shfl(l, 2); }"),
              "0 307 0 0 317 0 0 327 0 307 0 0 317 0 0 327");
    EXPECT_EQ(
        of_groups("0; o[0] = 0; cg::thread_group some = cg::tiled_partition(block, 2);\n"
                  "cg::sync(some); o[grid.thread_rank()] = some.size() * 10 + some.thread_rank()"),
        "20 21 20 21 20 21 20 21 20 21 20 21 20 21 20 21");
    EXPECT_EQ(of_groups("0; auto some = cg::labeled_partition(tile, l % 3);\n"
                        "o[grid.thread_rank()] = some.size() * 10 + some.thread_rank()"),
              "20 10 10 21 20 10 10 21 20 10 10 21 20 10 10 21");
    EXPECT_EQ(
        of_groups("0; auto some = cg::binary_partition(tile, l > 2); o[grid.thread_rank()] =\n"
                  "cg::reduce(some, l, cg::plus<int>())"),
        "3 3 3 3 22 22 22 22 3 3 3 3 22 22 22 22");
    EXPECT_THAT(of_groups("tile.swing(3)"), HasSubstr("a cg::thread_block_tile<4> has no 'swing'"));
    EXPECT_THAT(of_groups("cg::tiled_partition<3>(block).size()"),
                HasSubstr("a tile has 1, 2, 4, 8"));
    EXPECT_THAT(of_groups("0; if (l < 2) tile.sync(); o[0] = 1"),
                HasSubstr("Lanes of sub-group 0"));
    EXPECT_THAT(of_groups("0; if (l < 2) block.sync(); o[0] = 1"),
                HasSubstr("Not all work-items of group 0"));
}

// Every group sees what all others wrote before it, and again.
TEST(Cuda, TheGridWaitsForAllItsGroups) {
    const std::string text =
        "using namespace cooperative_groups;\n"
        "__global__ void k(int* o) { grid_group grid = this_grid(); const int i = "
        "grid.thread_rank();\n"
        "o[i] = i; grid.sync(); const int other = o[grid.size() - 1 - i]; sync(grid); o[i] = "
        "other; }";
    EXPECT_EQ(cuda(text, 6, {6, 2, 1, 0}), "5 4 3 2 1 0");
    EXPECT_EQ(cuda(text, 6, {6, 2, 2, 3}), "5 4 3 2 1 0");
    try {
        (void)cuda(text, 6, {6, 2, 1, 2});
        ADD_FAILURE() << "launched without room for all groups";
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.what_happened,
                  "A cooperative launch of 3 groups needs all of them at once");
    }
}

// Whoever does not come keeps all others from going on: by the letter all threads must.
TEST(Cuda, AllGroupsMustComeToABarrierOfTheGrid) {
    const auto of = [](const std::string& body) {
        return cuda(
            "namespace cg = cooperative_groups;\n__global__ void k(int* o) {\n" + body + " }", 4,
            {4, 2, 1});
    };
    const std::string sync = "cg::this_grid().sync();";
    EXPECT_THAT(of("if (blockIdx.x == 0) " + sync),
                HasSubstr("Not all groups come to the barrier of the grid in line 4"));
    EXPECT_THAT(of("if (blockIdx.x == 0) " + sync + "\nelse " + sync + " o[0] = 1;"),
                HasSubstr("Not all groups come to the barrier of the grid in line 4"));
    EXPECT_THAT(of("if (threadIdx.x == 1) return;\n" + sync),
                HasSubstr("Not all work-items of group 0 come to the barrier of the grid in line"));
    EXPECT_THAT(of("if (threadIdx.x == 1) " + sync + "\nelse __syncthreads();"),
                HasSubstr("Not all work-items of group 0 come to"));
}

TEST(Cuda, AtomicReferencesActOnWhatTheyName) {
    EXPECT_EQ(
        cuda("#include <cuda/atomic>\n__shared__ int flag;\n"
             "__global__ void k(int* o) { const int l = threadIdx.x;\n"
             "cuda::atomic_ref<int, cuda::thread_scope_device> sum(o[0]); sum.fetch_add(l);\n"
             "sum++; sum += 2; cuda::atomic_ref<int>{o[1]}.fetch_max(l, "
             "cuda::memory_order_relaxed);\n"
             "cuda::atomic_ref<int, cuda::thread_scope_block> ready{flag}; int expected = 0;\n"
             "if (l == 0) flag = 0; __syncthreads(); if (l == 0) ready = 7; __syncthreads(); if (l "
             "== 3) { o[3] = ready;\n"
             "while (!ready.compare_exchange_weak(expected, 9, cuda::std::memory_order_acq_rel)) { "
             "}\n"
             "o[2] = expected * 10 + ready.exchange(1); }\n"
             "cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block); }",
             4, {4, 4, 1}),
        "18 3 79 7");
    EXPECT_THAT(cuda("__global__ void k(int* o) { cuda::atomic_ref<int> r(o[0]); r.wait(3); }", 1),
                HasSubstr("a cuda::atomic_ref has no 'wait' here"));
    EXPECT_THAT(cuda("__global__ void k(int* o) { cuda::atomic_ref<int> r(o[0]); r *= 3; }", 1),
                HasSubstr("a cuda::atomic_ref has no 'fetch_…' here"));
}

TEST(Cuda, AtomicObjectsAreSharedByAllWhoNameThem) {
    EXPECT_EQ(
        cuda(
            "#include <cuda/atomic>\n"
            "__device__ int take(cuda::atomic<int, cuda::thread_scope_block>& a) { return a++; }\n"
            "__global__ void k(cuda::atomic<int, cuda::thread_scope_device>* o) {\n"
            "const int l = threadIdx.x; __shared__ cuda::atomic<int, cuda::thread_scope_block> s;\n"
            "if (l == 0) s = 3; __syncthreads(); o->fetch_add(l, cuda::memory_order_relaxed);\n"
            "o[1] += 2; take(s); __syncthreads(); int old = 7;\n"
            "if (l == 1) { o[2] = s + 1; o[3].store(s.load() * 10);\n"
            "s.compare_exchange_strong(old, 5); o[4] = s; } }",
            5, {4, 4, 1}),
        "6 8 8 70 5");
}

TEST(Cuda, AnAssertionThatDoesNotHoldIsAFault) {
    const std::string text =
        "#include <cassert>\n__global__ void k(int* o) {\n  assert(o != 0 && threadIdx.x<3);\n"
        "  o[threadIdx.x] = 1; }";
    EXPECT_EQ(cuda(text, 3, {3, 3, 1}), "1 1 1");
    EXPECT_THAT(
        cuda(text, 4, {4, 4, 4}),
        HasSubstr("Work-item 3 comes to assert(o != 0 && threadIdx.x<3), which does not hold"));
}

}  // namespace
}  // namespace lab::machine
