#include "lang/cuda.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/paths.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "lang/compile.h"
#include "lang/record.h"

namespace lab::lang {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

std::vector<std::string> kernels_of(const Compiled& compiled) {
    std::vector<std::string> names;
    for (const FunctionDefinition* each : compiled.tree->kernels())
        names.push_back(each->name);
    return names;
}

std::string errors_of(const std::string& text) {
    const Compiled compiled = compile({"k.cu", text, ""});
    return text_of(compiled.diagnostics, compiled.sources);
}

TEST(CudaText, IsToldByItsNameOrItsFirstLine) {
    EXPECT_TRUE(is_cuda("a/b.cu", ""));
    EXPECT_TRUE(is_cuda("b.cuh", ""));
    EXPECT_TRUE(is_cuda("b.cl", "//! cuda\n"));
    EXPECT_FALSE(is_cuda("b.cl", "kernel void k() {}"));
    EXPECT_FALSE(is_cuda("b.cu, recorded", "kernel void k() {}"));
}

constexpr const char* kFile = R"(#include <cstdio>
#include "helpers.h"
using namespace std;
constexpr int kBlock = 64;
const unsigned N = 1 << 8;
struct Host { vector<int> all; Host() : all(3) {} };
typedef float Number;
static void fill(float* to, size_t n) { for (size_t i = 0; i < n; ++i) to[i] = i; }
template <typename T, int B>
__global__ void sum(const T* in, Number* out, int n) {
    extern __shared__ Number s[];
    s[threadIdx.x] = blockIdx.x * B + threadIdx.x < n ? in[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, s[0]);
}
int main() {
    Host host;
    float *in, *out;
    const int blocks = (N + kBlock - 1) / kBlock;
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc((void**)&out, sizeof(float));
    dim3 grid(blocks), block(kBlock, 1);
    sum<float, kBlock><<<grid, block, kBlock * sizeof(float)>>>(in, out, N);
    return 0;
}
)";

TEST(CudaText, HostCodeIsReadForItsLaunches) {
    const Compiled compiled = compile({"k.cu", kFile, ""});
    ASSERT_TRUE(compiled.code) << text_of(compiled.diagnostics, compiled.sources);
    EXPECT_THAT(kernels_of(compiled), ElementsAre("sum<float, 64>"));
    ASSERT_EQ(compiled.host.launches.size(), 1U);
    const HostLaunch& launch = compiled.host.launches[0];
    EXPECT_EQ(launch.kernel, "sum<float, kBlock>");
    EXPECT_THAT(launch.grid, ElementsAre("blocks"));
    EXPECT_THAT(launch.block, ElementsAre("kBlock", "1"));
    EXPECT_EQ(launch.shared, "kBlock * 4");
    EXPECT_THAT(launch.arguments, ElementsAre("in", "out", "N"));
    EXPECT_THAT(compiled.host.bytes, ElementsAre(Pair("in", "N * 4"), Pair("out", "4")));
    EXPECT_EQ(compiled.host.values.at("N"), "256 * 1");
    // Its dynamic shared memory is the last argument.
    ASSERT_EQ(compiled.code->parameters.size(), 4U);
    EXPECT_EQ(compiled.code->parameters[3].kind, Parameter::Kind::local);
    EXPECT_EQ(compiled.code->parameters[0].kind, Parameter::Kind::buffer);
    EXPECT_TRUE(compiled.code->parameters[0].read_only);
    EXPECT_TRUE(compiled.code->is_cuda);
}

TEST(CudaText, ATemplateThatNobodyLaunchesHasWhatIsUsual) {
    const std::string kernel =
        "template <typename T, unsigned B, bool W> __global__ void k(T* o) { __shared__ T s[B]; "
        "o[0] = s[0] * W; }\n";
    EXPECT_THAT(kernels_of(compile({"k.cu", kernel, ""})), ElementsAre("k<float, 16, 0>"));
    EXPECT_THAT(kernels_of(compile(
                    {"k.cu", kernel + "template __global__ void k<int, 8, true>(int*);\n", ""})),
                ElementsAre("k<int, 8, 1>"));
    const Compiled chosen = compile({"k.cu", kernel, ""}, "k");
    EXPECT_TRUE(chosen.code);
}

// As of a template in C++ that is never made.
TEST(CudaText, WhatIsWrongInATemplatesKernelCountsWhereItIsChosen) {
    const Text text{"k.cu",
                    "template <typename T> __global__ void good(T* o) { o[0] = 1; }\n"
                    "template <typename T> __global__ void bad(T* o) { o[0] = nothing; }\n",
                    ""};
    EXPECT_TRUE(compile(text, "good").code);
    const Compiled bad = compile(text, "bad");
    EXPECT_FALSE(bad.code);
    EXPECT_THAT(text_of(bad.diagnostics, bad.sources), HasSubstr("k.cu:2:58: error: 'nothing'"));
    EXPECT_THAT(errors_of(text.text.substr(text.text.find('\n') + 1)), HasSubstr("'nothing'"));
}

struct Refusal {
    const char* text;
    const char* says;
};

TEST(CudaText, WhatIsLeftOutIsSaidAtItsLine) {
    static constexpr Refusal kRefusals[] = {
        {"int f(int x) { return x; }\n__global__ void k(int* o) {\n o[0] = f(1); }",
         "k.cu:3:9: error: 'f' is a function of the host"},
        {"__global__ void k(int* o) {\n auto g = cooperative_groups::this_cluster(); }",
         "k.cu:2:31: error: these cooperative groups are left out"},
        {"__global__ void k(int* o) {\n __shared__ cuda::atomic<float4> flag; }",
         "error: atomics are of numbers"},
        {"__global__ void k(int* o) {\n int x = 0; cuda::atomic_ref<int> r(x); o[0] = r; }",
         "k.cu:2:48: error: 'load' takes a pointer to global or local numbers first"},
        {"__global__ void __cluster_dims__(2, 1, 1) k(int* o) { }",
         "k.cu:1:17: error: clusters of thread blocks are left out"},
        {"__global__ void k(int* o) {\n auto f = [&](int x) { return x; }; }",
         "k.cu:2:11: error: lambdas are left out"},
        {"__global__ void k(int* o) {\n int* p = new int[3]; }",
         "k.cu:2:11: error: kernels here allocate nothing"},
        {"struct S { int a;\n __device__ S(int b) { a = b; } };\n__global__ void k(S* s) { }",
         "k.cu:2:13: error: constructors are left out"},
        {"struct A { int a; };\nstruct B : A, A { int b; };\n__global__ void k(B* b) { }",
         "k.cu:2:13: error: a structure has one other structure as its base here"},
        {"typedef int (*Of)(int);\n__global__ void k(int* o) { Of f; }",
         "k.cu:1:14: error: pointers to functions are not supported here"},
        {"__global__ void k(int* o) {\n o[0] = get_global_id(0); }",
         "k.cu:2:9: error: there is no function 'get_global_id'"},
        {"__device__ void f();\n__global__ void k(int* o) { f(); }\n"
         "__device__ void f() {\n extern __shared__ int s[]; }",
         "k.cu:4:24: error: 'f' is called before its shared memory is declared"},
        {"template <typename T> union S { T a; };\n__global__ void k(int* o) { S<int> s; }",
         "k.cu:1:23: error: only functions and structures can be templates here"},
        {"union U { int* p; int n; };\nstruct S { U u; };\n__global__ void k(S s) { }",
         "k.cu:3:21: error: a kernel's argument cannot be or hold a union U here"},
        {"struct S { int** p; };\n__global__ void k(S s) { }",
         "k.cu:2:21: error: a kernel's argument cannot be or hold an int** here"},
        {"struct S { int* p; };\n__global__ void k(S s) { s.p = nothing; }",
         "k.cu:2:32: error: 'nothing' is not declared"},
        {"__global__ void k(float* o) {\n o[0] = tex2D<float>(0, 1, 2); }",
         "k.cu:2:9: error: textures are left out"},
        {"__global__ void k(curandState_t* o) { }",
         "k.cu:1:19: error: random numbers of the library are left out"},
        {"__global__ void k(int* o) {\n cuda::pipeline<cuda::thread_scope_thread> p; }",
         "k.cu:2:8: error: copies that go on by themselves are left out"},
        {"__global__ void k(int* o) {\n static_assert(sizeof(int) == 8, \"no\"); }",
         "error: this static_assert does not hold"},
        {"__global__ void k(int* o) {\n o[0] = threadIdx.w; }", "'threadIdx' has x, y and z"},
        {"__global__ void k(int* o) {\n o[0] = __shfl_down(o[0], 1); }",
         "k.cu:2:9: error: which lanes come is not said, and CUDA has it no more"},
        {"__global__ void k(int* o) {\n int a[2];\n for (int x : a) o[0] = x; }",
         "k.cu:3:7: error: 'for' over all elements is left out"},
        {"struct S { int a; static const int n = 4; };\n__global__ void k(S* s) { }",
         "k.cu:1:36: error: static members are left out"},
        {"__global__ void k(int* o) {\n if (int i = o[0]) o[1] = i; }",
         "k.cu:2:6: error: a declaration in a condition is left out"},
        {"__global__ void k(int* o) {\n o[0] = std::numeric_limits<int>::infinity(); }",
         "k.cu:2:14: error: numeric_limits<int> has no 'infinity' here"},
        {"__device__ int f(int x) { return x ? f(x - 1) : 0; }\n"
         "__global__ void k(int* o) { o[0] = f(3); }",
         "hint: Recursion is left out here: write a loop"},
        {"__device__ int f(int x) { return x; }", "hint: A kernel begins with: __global__ void"},
    };
    for (const Refusal& each : kRefusals)
        EXPECT_THAT(errors_of(each.text), HasSubstr(each.says)) << each.text;
}

TEST(CudaText, IsWrittenAsOpenClC) {
    const Text text{
        "k.cu",
        "__constant__ int table[2] = {1, 2};\n"
        "__device__ int unused;\n"
        "__device__ int sum(int* from, int& most) { __shared__ int half; half = from[0];\n"
        "  most = max(most, half); return half + table[1]; }\n"
        "template <int B> __global__ void k(int* global, float* f) {\n"
        "  __shared__ int s[B]; extern __shared__ int more[]; int local = 0;\n"
        "  s[threadIdx.x] = more[0]; __syncthreads(); atomicAdd(f, 1.0f);\n"
        "  atomicAdd(global, sum(s, local)); printf(\"%d\\n\", local); }\n",
        ""};
    const Text written = opencl_text(text).text;
    const Compiled again = compile(written);
    ASSERT_TRUE(again.code) << written.text << text_of(again.diagnostics, again.sources);
    for (const char* part :
         {"kernel void k(int global *global_, float global *f, int local *more)",
          "    local int s[16];\n", "    local int half_;\n", "int local_ = 0;",
          "(*half_) = ", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
          "atomic_cmpxchg(lab_cell", "printf(\"%d\\n\", local_)", "constant int table[2] = {1, 2}"})
        EXPECT_THAT(written.text, HasSubstr(part));
    EXPECT_THAT(written.text, Not(HasSubstr("unused")));
    EXPECT_THAT(written.text, Not(HasSubstr("lab_trace")));
    try {
        opencl_text({"k.cu", "__device__ int v;\n__global__ void k(int* o) { o[0] = v; }\n", ""});
        FAIL();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.where, "k.cu:1:16");
    }
}

// The lines of the text in OpenCL C that say again what the one with `part` says.
std::string said_by(const RecordedText& printed, const std::string& text, std::string_view part) {
    const std::size_t at = text.find(part);
    const auto line = static_cast<std::uint32_t>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::vector<std::string_view> lines = text_lines(printed.text.text);
    std::string said;
    for (std::size_t i = 0; i < printed.lines.size(); ++i)
        if (contains(printed.lines[i], line)) said += std::string(trimmed(lines[i])) + '\n';
    return said;
}

TEST(CudaText, LinesOfBothTextsBelongTogether) {
    for (const char* name : {"one_loop", "one_block", "one_block_shrinking", "one_block_shared",
                             "many_blocks", "many_blocks_coarsened"}) {
        SCOPED_TRACE(name);
        const std::string text =
            read_file(fmt::format("{}/assets/lessons/04-many-groups/{}.cu", LAB_SOURCE_DIR, name));
        const Text given{"k.cu", text, "#define BLOCK_DIM 8\n#define COARSEN_FACTOR 2\n"};
        const Compiled compiled = compile_or_throw(given);
        const RecordedText printed = opencl_text(given);
        EXPECT_EQ(printed.lines.size() + 1, text_lines(printed.text.text).size());
        EXPECT_THAT(printed.text.text, Not(HasSubstr("\1")));
        // All that acts, and none of the header.
        for (const Instruction& each : compiled.code->instructions) {
            const Place& place = compiled.code->place(each);
            const bool acts =
                contains(std::array{Op::load, Op::store, Op::atomic, Op::barrier}, each.op);
            const bool said = any_of(
                printed.lines, [&](const auto& lines) { return contains(lines, place.line); });
            EXPECT_TRUE(said || !acts || place.file != kTextFile) << place.line;
        }
        EXPECT_EQ(said_by(printed, text, "title:"), "");
        EXPECT_THAT(said_by(printed, text, "__global__"), StartsWith("kernel void "));
        if (text.find("__shared__") != std::string::npos) {
            EXPECT_EQ(said_by(printed, text, "__syncthreads"),
                      "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
            EXPECT_EQ(said_by(printed, text, "__shared__"), "local float part[8];\n");
        }
    }
    const std::string text =
        "__device__ int twice(int a)\n{\n  return a\n    * 2;\n}\n"
        "__global__ void k(int* o)\n{\n  do\n    o[0] = twice(o[1]);\n"
        "  while (o[2]);\n  printf(\"\\x01\");\n}\n";
    const RecordedText printed = opencl_text({"k.cu", text, ""});
    EXPECT_EQ(said_by(printed, text, "* 2"), "return (a * 2);\n");
    EXPECT_EQ(said_by(printed, text, "return"), "return (a * 2);\n");
    EXPECT_EQ(said_by(printed, text, "do"), "do {\n");
    EXPECT_THAT(said_by(printed, text, "while"), StartsWith("} while ("));
    EXPECT_EQ(said_by(printed, text, "printf"), "printf(\"\1\");\n");
}

TEST(CudaText, ThreeComponentsLieAsThree) {
    const std::string text =
        "struct Body { char kind; float3 at; double4 more; };\n"
        "__constant__ float3 kShift[2] = {{1, 2, 3}};\n"
        "__device__ void swap(float3& a, float3& b) { float3 t = a; a = b; b = t; }\n"
        "__global__ void k(float3* p, Body* b, int* sizes) {\n"
        "  __shared__ float3 s[4]; float3 own[2] = {p[0], make_float3(4, 5, 6)}, last = p[1];\n"
        "  sizes[0] = sizeof(float3); sizes[1] = sizeof(Body); sizes[2] = sizeof(s);\n"
        "  sizes[3] = sizeof(uchar3); sizes[4] = sizeof(long4); sizes[5] = sizeof(int3);\n"
        "  swap(own[0], last); s[1] = own[1]; s[1].y += kShift[0].z;\n"
        "  p[1] = s[2] = s[1]; b->at = last; p[2].x = b[0].at.y; }\n";
    const Compiled compiled = compile_or_throw({"k.cu", text, ""});
    EXPECT_EQ(compiled.code->parameters[0].element_bytes, 12U);
    EXPECT_EQ(compiled.code->parameters[1].element_bytes, 48U);
    const Text printed = opencl_text({"k.cu", text, ""}).text;
    const Compiled again = compile(printed);
    ASSERT_TRUE(again.code) << printed.text << text_of(again.diagnostics, again.sources);
    EXPECT_EQ(again.code->parameters[0].element_bytes, 12U);
    EXPECT_EQ(again.code->parameters[1].element_bytes, 48U);
    EXPECT_THAT(printed.text, HasSubstr("struct lab_float3\n{\n    float s0, s1, s2;\n};\n"));
    // One access, as the simulator has it.
    const RecordedText recorded = recorded_text({"k.cu", text, ""}, "k");
    const Compiled records = compile(recorded.text);
    EXPECT_TRUE(records.code) << recorded.text.text
                              << text_of(records.diagnostics, records.sources);
    EXPECT_EQ(recorded.sites[0].count, 3);
}

std::string written(const std::string& text) {
    try {
        const Text opencl = opencl_text({"k.cu", text, ""}).text;
        const Compiled again = compile(opencl);
        EXPECT_TRUE(again.code) << opencl.text << text_of(again.diagnostics, again.sources);
        return opencl.text;
    } catch (const Problem& problem) {
        return problem.where + ": " + problem.why;
    }
}

TEST(CudaText, GroupsAndReferencesAreWrittenAsOpenClC) {
    const std::string tiles = written(
        "namespace cg = cooperative_groups;\n"
        "__global__ void k(int* o) { cg::thread_block block = cg::this_thread_block();\n"
        "  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block); block.sync();\n"
        "  o[0] = tile.shfl_down(o[0], 1); }\n");
    EXPECT_THAT(tiles, HasSubstr("uint block = "));
    EXPECT_THAT(tiles, HasSubstr("sub_group_shuffle("));
    const std::string atomics = written(
        "__shared__ int s;\n__global__ void k(int* o) {\n"
        "  cuda::atomic_ref<int, cuda::thread_scope_block> ref(s); int now = 0;\n"
        "  ref.fetch_add(1, cuda::memory_order_relaxed); ref.compare_exchange_strong(now, 2);\n"
        "  assert(o[0] == 0); o[0] = ref.load(); }\n");
    for (const char* part : {"    local int s;\n", "atomic_add(lab_p, lab_a)", "_ordered_int_local",
                             "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
                             "OpenCL C has no assert(o[0] == 0)"})
        EXPECT_THAT(atomics, HasSubstr(part));
    const std::string wide = written(
        "__global__ void k(int* o) {\n"
        "  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*o); ref.fetch_add(1); }\n");
    EXPECT_THAT(wide,
                HasSubstr("memory_order_seq_cst, memory_scope_device);\n    const int lab_old "
                          "= atomic_add(lab_p, lab_a);\n    atomic_work_item_fence("));
    EXPECT_THAT(wide, testing::Not(HasSubstr(" mem_fence(")));
    const std::string fences = written(
        "__global__ void k(int* o) { __threadfence_block(); __threadfence(); "
        "__threadfence_system(); }\n");
    EXPECT_THAT(fences, HasSubstr("scope_device) /* for all devices in CUDA; this buffer is of one "
                                  "*/;"));
    for (const char* scope : {"work_group", "device"})
        EXPECT_THAT(fences, HasSubstr(fmt::format(
                                "atomic_work_item_fence(3, memory_order_seq_cst, memory_scope_{});",
                                scope)));
    EXPECT_EQ(written("__global__ void k(int* o) {\n  cooperative_groups::this_grid().sync(); }\n"),
              "k.cu:2:23: OpenCL C has no barrier for all groups: let one launch follow another");
}

// CUDA's barriers do not wait for who has returned; of OpenCL C nobody knows.
TEST(CudaText, AReturnBeforeABarrierIsSaidInOpenClC) {
    const char* note =
        "    // OpenCL C leaves open what the barriers of the others do then; in CUDA";
    const std::string meet = "__device__ void meet() { __syncthreads(); }\n";
    const auto of = [&](const char* body) {
        return written(meet + "__global__ void k(int* o) {\n" + body + "}\n");
    };
    for (const char* body : {"if (o[0]) return;\n__syncthreads();", "if (o[0]) return;\nmeet();",
                             "while (o[1]) { __syncthreads(); if (o[0]) return; }"})
        EXPECT_THAT(of(body), HasSubstr(note)) << body;
    EXPECT_THAT(of("if (o[0]) return;\nmeet();"),
                HasSubstr(std::string(note) + " they go on.\n        return;"));
    for (const char* body :
         {"__syncthreads(); if (o[0]) return;\no[1] = 2;", "meet(); if (o[0]) return;\no[1] = 2;",
          "if (o[0]) return;\no[1] = 2;"})
        EXPECT_THAT(of(body), Not(HasSubstr(note))) << body;
}

TEST(CudaText, StructuresWithFunctionsAreWrittenAsOpenClC) {
    const std::string text = written(
        "template <typename T> struct Shared {\n"
        "  __device__ operator T*() { extern __shared__ int s[]; return (T*)s; } };\n"
        "struct Sum { int from; __device__ int operator()(int a) const { return from + a; } };\n"
        "__global__ void k(int* o) { int* p = Shared<int>(); Sum sum = {2}; p[0] = sum(o[0]);\n"
        "  cuda::atomic_ref<int>(p[0])++; memcpy(o, p, sizeof(int)); }\n");
    for (const char* part :
         {"kernel void k(int global *o, int local *s)", "operator__(", "struct lab_s", "memcpy_("})
        EXPECT_THAT(text, HasSubstr(part));
}

// The host passes each part of a structure that holds pointers.
TEST(CudaText, AStructureWithPointersIsSeveralArguments) {
    const Text text{"k.cu",
                    "struct Matrix { int width; float* all; bool turned; };\n"
                    "__global__ void k(Matrix m, int n) {\n"
                    "  m.all[threadIdx.x * m.width] = m.turned ? n : 0; }\n"
                    "int main() { Matrix d; k<<<1, 8>>>(d, 3); }",
                    ""};
    const Compiled compiled = compile(text);
    ASSERT_TRUE(compiled.code) << text_of(compiled.diagnostics, compiled.sources);
    std::vector<std::string> names;
    for (const Parameter& each : compiled.code->parameters)
        names.push_back(each.name + ": " + each.type_name);
    EXPECT_THAT(names,
                ElementsAre("m_width: int", "m_all: global float*", "m_turned: uchar", "n: int"));
    EXPECT_THAT(
        written(text.text),
        HasSubstr("kernel void k(int m_width, float global *m_all, uchar m_turned, int n)"));
}

TEST(CudaText, AConstantWithoutAValueIsZeroAndSaysSo) {
    const Compiled compiled =
        compile({"k.cu", "__constant__ int c[2];\n__global__ void k(int* o) { o[0] = c[1]; }", ""});
    ASSERT_TRUE(compiled.code);
    EXPECT_THAT(text_of(compiled.diagnostics, compiled.sources),
                HasSubstr("k.cu:1:18: warning: constant 'c' has no value: it is 0 here"));
    EXPECT_THAT(written("__constant__ int c[2];\n__global__ void k(int* o) { o[0] = c[1]; }"),
                HasSubstr("constant int c[2] = {0, 0}"));
}

// What CUDA's own functions read for themselves is no wish of the text.
TEST(CudaText, AKernelOfGroupsHasTheDimensionsThatItUses) {
    const auto dimensions = [](const std::string& index) {
        const Compiled compiled = compile(
            {"k.cu",
             "namespace cg = cooperative_groups;\n"
             "__global__ void k(int* o) { cg::thread_block block = cg::this_thread_block();\n"
             "  cg::grid_group grid = cg::this_grid(); const uint3 at = block.thread_index(), "
             "sides "
             "= block.dim_threads();\n  o[" +
                 index + "] = grid.size() + block.size() + grid.num_blocks(); }",
             ""});
        return compiled.code ? compiled.code->dims : 0;
    };
    for (const char* one : {"grid.thread_rank()", "grid.block_rank()", "block.thread_rank()",
                            "at.x", "block.group_index().x * sides.x"})
        EXPECT_EQ(dimensions(one), 1U) << one;
    for (const char* two : {"at.y", "block.thread_index().y", "block.group_index().y", "sides.y",
                            "block.dim_threads().y", "threadIdx.y"})
        EXPECT_EQ(dimensions(two), 2U) << two;
    EXPECT_EQ(dimensions("at.x + at.y + at.z"), 3U);
}

// It is no constant: it has no first values, and is shown.
TEST(CudaText, SharedMemoryOutsideOfFunctionsIsAVariableOfTheGroup) {
    const Compiled compiled =
        compile({"k.cu",
                 "__shared__ int s[8];\n"
                 "__global__ void k(int* o) { s[threadIdx.x] = 1; o[0] = s[0]; }\n",
                 ""});
    ASSERT_TRUE(compiled.code) << text_of(compiled.diagnostics, compiled.sources);
    const auto& variables = compiled.code->variables;
    const auto shared = std::find_if(variables.begin(), variables.end(),
                                     [](const VariableInfo& each) { return each.name == "s"; });
    ASSERT_NE(shared, variables.end());
    const Object& object = compiled.code->objects.at(static_cast<std::size_t>(shared->object));
    EXPECT_EQ(object.space, Space::local);
    EXPECT_TRUE(object.initial.empty());
}

TEST(CudaText, WhatIsWrongIsSaidAsCudaHasIt) {
    const auto error = [](const std::string& body) {
        const Compiled compiled =
            compile({"k.cu", "__global__ void k(int* o, unsigned short* u) { " + body + " }", ""});
        return compiled.code ? "" : text_of(compiled.diagnostics, compiled.sources);
    };
    for (const auto& [body, says] : std::vector<std::pair<const char*, const char*>>{
             {"static int n = threadIdx.x; o[0] = n;", "as the program begins with a constant"},
             {"static int n(5); o[0] = n;", "takes its value here behind '='"},
             {"int& r; o[0] = 1;", "'r' refers to nothing"},
             {"const int& r; o[0] = 1;", "'r' refers to nothing"},
             {"struct S { const int& r; }; S s{o[0]}; o[0] = s.r;", "references within structures"},
             {"__syncthreads(1);", "'__syncthreads' takes 0 arguments"},
             {"atomicCAS(u, 1, 2);", "It takes int, unsigned, unsigned long long: write"},
             {"cuda::atomic_ref<int> f(*o); f.store(1, cuda::memory_order_acquire);",
              "cannot acquire"},
             {"cuda::atomic_ref<int> f(*o); f.load(cuda::memory_order_release);",
              "cannot release"}})
        EXPECT_THAT(error(body), HasSubstr(says)) << body;
}

TEST(CudaText, NamesAndStaticVariablesAreWrittenAsOpenClCHasThem) {
    const std::string text = written(
        "__device__ int f(const int& a) { static const int t[] = {1, 2}; return t[a]; }\n"
        "__global__ void k(int* o) { int generic = 1, image2d_t = 2; dim3 d = blockDim;\n"
        "  o[0] = generic + image2d_t + f(o[1]) + d.x; printf(\"%d\", 1); }\n");
    for (const char* part : {"int generic_ = 1", "image2d_t_ = 2", "constant int f__t[2] = {1, 2}",
                             "    printf(\"%d\", 1);"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(written("__global__ void k(int* o) {\n  static int n; o[0] = n++; }\n"),
                HasSubstr("k.cu:2:"));
}

TEST(CudaText, IsRecordedLikeItsTwin) {
    const RecordedText recorded = recorded_text(
        {"k.cu",
         "__global__ void k(float* o) { __shared__ float s[4]; s[threadIdx.x] = o[0];\n"
         "  __syncthreads(); atomicAdd(o, s[0]); }",
         ""});
    ASSERT_EQ(recorded.sites.size(), 5U);
    EXPECT_EQ(recorded.sites[3].kind, Site::Kind::atomic);
    EXPECT_EQ(recorded.sites[3].place.line, 2U);
    EXPECT_TRUE(compile(recorded.text).code) << recorded.text.text;
}

// OpenCL's words stay what they are in its own texts.
TEST(CudaText, ChangesNothingOfOpenClC) {
    const Compiled compiled = compile(
        {"k.cl", "kernel void k(global int* o) { local int s[2]; s[0] = 1; o[0] = s[0]; }", ""});
    ASSERT_TRUE(compiled.code);
    EXPECT_FALSE(compiled.code->is_cuda);
    EXPECT_THAT(text_of(compile({"k.cl", "__global__ void k(int* o) {}", ""}).diagnostics,
                        Sources{{"", ""}, {"", ""}, {"k.cl", ""}}),
                HasSubstr("error"));
}

}  // namespace
}  // namespace lab::lang
