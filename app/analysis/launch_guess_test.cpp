#include "analysis/launch_guess.h"

#include <gmock/gmock.h>

#include "analysis/machine_run.h"
#include "support/example_shapes.h"

namespace lab::analysis {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

catalogue::LaunchForm guessed(const std::string& text, catalogue::LaunchForm kernel = {}) {
    kernel.file = "k.cl";
    kernel.text = text;
    return guessed_launch(kernel, kClassroom);
}

bool runs(const catalogue::LaunchForm& kernel) {
    return !machine::Run(job_of(kernel), kClassroom.order).fault();
}

TEST(LaunchGuess, BuffersAreAsLongAsTheKernelNeeds) {
    const catalogue::LaunchForm kernel = guessed(
        "kernel void f(global const float* in, global float* out, local float* part) {\n"
        "  const int i = get_global_id(0);\n"
        "  part[get_local_id(0) + 20] = in[4 * i + 3];\n"
        "  out[i * 2] = part[get_local_id(0) + 20]; }");
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:float[256]=ramp", "out:float[128]", "part:local float[64]"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, NumbersThatLeadAstrayBecomeNought) {
    const catalogue::LaunchForm kernel = guessed(
        "kernel void f(global int* next, global int* data) {\n"
        "  const int i = get_global_id(0); data[next[i] * 100000 * 100] = i; }");
    EXPECT_THAT(kernel.arguments, Contains("next:int[64]=0"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, ANumberThatIsTooLargeIsLowered) {
    const catalogue::LaunchForm kernel = guessed(
        "kernel void f(global float* data, int width, float scale) {\n"
        "  data[get_global_id(0) + (width - 1) * 100000000] = scale; }");
    EXPECT_THAT(kernel.arguments, ElementsAre("data:float[64]=ramp", "width=1", "scale=1"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, TellsHowItWasFound) {
    catalogue::LaunchForm kernel;
    kernel.file = "k.cl";
    kernel.text = "kernel void f(global int* a, int n) { a[4 * get_global_id(0)] = n; }";
    LaunchGuess guess = guess_launch(kernel, kClassroom);
    EXPECT_GT(guess.runs, 1);
    EXPECT_TRUE(guess.ended);
    EXPECT_THAT(guess.changed, ElementsAre("a:int[256]=ramp"));
    EXPECT_EQ(guess.kernel, guessed_launch(kernel, kClassroom));
    kernel.text = "kernel void f(global int* a) { a[get_global_id(0)] = 1; }";
    guess = guess_launch(kernel, kClassroom);
    EXPECT_EQ(guess.runs, 1);
    EXPECT_TRUE(guess.ended);
    EXPECT_THAT(guess.changed, IsEmpty());
    kernel.text = "kernel void f(global int* a) { a[get_global_id(0)] = 1 / (a[0] - a[0]); }";
    EXPECT_FALSE(guess_launch(kernel, kClassroom).ended);
}

catalogue::LaunchForm of_cuda(const std::string& text, const std::string& entry = "") {
    catalogue::LaunchForm kernel;
    kernel.file = "k.cu";
    kernel.text = text;
    kernel.kernel = entry;
    return guessed_launch(kernel, kClassroom);
}

constexpr const char* kSum =
    "template <typename T, int B> __global__ void sum(const T* in, T* out, int n) {\n"
    "  extern __shared__ T s[]; const int i = blockIdx.x * B + threadIdx.x;\n"
    "  s[threadIdx.x] = i < n ? in[i] : 0; __syncthreads();\n"
    "  if (threadIdx.x == 0) atomicAdd(out, s[0] + s[B - 1]); }\n";

TEST(LaunchGuess, ALaunchOfHostCodeIsTaken) {
    const catalogue::LaunchForm kernel =
        of_cuda(std::string(kSum) +
                "const int kBlock = 8;\nint main() { const unsigned n = 1 << 5; float *a, *b;\n"
                "  cudaMalloc(&a, n * sizeof(float)); cudaMalloc((void**)&b, sizeof(float));\n"
                "  dim3 grid((n + kBlock - 1) / kBlock), block(kBlock);\n"
                "  sum<float, kBlock><<<grid, block, kBlock * sizeof(float)>>>(a, b, n); }\n");
    EXPECT_EQ(kernel.global, Extent(32));
    EXPECT_EQ(kernel.local, Extent(8));
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:float[32]=ramp", "out:float[1]=0", "n=32", "s:local float[8]"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, WhatTheHostsLaunchDoesWrongIsNotMended) {
    const auto launch = [](const std::string& kernel, const std::string& host) {
        return of_cuda("__global__ void k(int* o, int n) { " + kernel +
                       " }\nint main() { int *o; " + host + " }\n");
    };
    // Its group, its buffer, its shared memory.
    catalogue::LaunchForm form =
        launch("__shared__ int a[4]; a[threadIdx.x] = 1; o[threadIdx.x] = a[threadIdx.x + 1];",
               "cudaMalloc(&o, 16); k<<<1, 4>>>(o, 4);");
    EXPECT_EQ(form.local, Extent(4));
    EXPECT_FALSE(runs(form));
    form = launch("o[blockIdx.x * blockDim.x + threadIdx.x] = 1;",
                  "int n = 10; cudaMalloc(&o, n * sizeof(int)); k<<<3, 4>>>(o, n);");
    EXPECT_THAT(form.arguments, ElementsAre("o:int[10]=ramp", "n=10"));
    form = launch("extern __shared__ int s[]; s[threadIdx.x + 4] = 1; o[0] = s[4];",
                  "cudaMalloc(&o, 16); k<<<1, 4, 16>>>(o, 4);");
    EXPECT_THAT(form.arguments, ElementsAre("o:int[4]=ramp", "n=4", "s:local int[4]"));
    // Of a number that changes nothing is known.
    form = launch("o[threadIdx.x] = 1;",
                  "int n = 2; for (; n < 8; n *= 2) { cudaMalloc(&o, n); k<<<1, 4>>>(o, n); }");
    EXPECT_THAT(form.arguments, ElementsAre("o:int[64]=ramp", "n=64"));
}

TEST(LaunchGuess, WhatTheHostFillsIsItsToo) {
    const catalogue::LaunchForm form = of_cuda(
        "#define N 8\n__global__ void k(float a, const float* x, float* y, int* m, int* u, char* "
        "z) "
        "{\n  y[threadIdx.x] += a * x[threadIdx.x] + m[0] + u[0] + z[0]; }\n"
        "int main() { float *x, *y; int *m, *u; char* z; cudaMallocManaged(&x, N * "
        "sizeof(float));\n"
        "  cudaMallocManaged(&y, N * sizeof(float)); cudaMalloc(&m, 8); cudaMalloc(&u, 8);\n"
        "  cudaMalloc(&z, 4); cudaMemset(m, 1, 8); cudaMemset(z, 0xff, 4);\n"
        "  cudaMemcpy(u, h, 8, cudaMemcpyHostToDevice);\n"
        "  for (int i = 0; i < N; i++) { x[i] = 1.0f; y[i] = 2.5f; }\n"
        "  k<<<1, N>>>(2.0f, x, y, m, u, z); }\n");
    EXPECT_THAT(form.arguments, ElementsAre("a=2.0", "x:float[8]=1.0", "y:float[8]=2.5",
                                            "m:int[2]=16843009", "u:int[2]=0", "z:char[4]=-1"));
}

TEST(LaunchGuess, ABufferThatTheHostGivesTwiceIsOne) {
    const std::string kernel =
        "__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x;\n"
        "  out[i] = in[n - 1 - i]; }\nint main() { int* d; cudaMalloc(&d, 16); k<<<1, 4>>>(";
    const catalogue::LaunchForm form = of_cuda(kernel + "d, d, 4); }\n");
    EXPECT_THAT(form.arguments, ElementsAre("in:int[4]=ramp", "out:=in", "n=4"));
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(form);
    EXPECT_FALSE(run_on_machine(spec)->hazards.empty());
    EXPECT_EQ(job_of(spec).buffers.size(), 1U);
    EXPECT_THROW((void)planned_kernel(form, kClassroom), Problem);
    // Parts of one are two here, which is said.
    const auto marks = [&](const std::string& arguments) {
        std::vector<std::string> said;
        catalogue::LaunchForm parts;
        parts.file = "k.cu";
        parts.text = kernel + arguments + "); }\n";
        for (const catalogue::TextMark& each : catalogue::facts_of(parts).marks)
            said.push_back(each.message);
        return said;
    };
    EXPECT_THAT(marks("d, d + 2, 2"), ElementsAre("'in' and 'out' lie in the host's 'd', but are "
                                                  "two buffers here"));
    EXPECT_THAT(marks("d, d, 4"), IsEmpty());
}

TEST(LaunchGuess, OfALargeLaunchOfHostCodeTheGroupIsTaken) {
    const catalogue::LaunchForm kernel =
        of_cuda(std::string(kSum) +
                "int main() { int n = 1 << 20; sum<int, 32><<<n / 32, 32, 128>>>(a, b, n); }\n");
    EXPECT_EQ(kernel.local, Extent(32));
    EXPECT_EQ(kernel.global, Extent(64));
    EXPECT_THAT(kernel.arguments, Contains("n=64"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, AKernelOfCudaThatDoesNotAskForItsBlockHasOne) {
    EXPECT_EQ(of_cuda("__global__ void k(int* o) { o[threadIdx.x] = 1; }").global, Extent(16));
    EXPECT_EQ(of_cuda("__global__ void k(int* o) { o[blockIdx.x] = 1; }").global, Extent(64));
    // One that acts by warps has one of 32.
    EXPECT_EQ(of_cuda("__global__ void k(int* o) { o[blockIdx.x] = __activemask(); }").local,
              Extent(32));
    // One of several is named without its template's arguments.
    EXPECT_EQ(of_cuda(std::string(kSum) + "__global__ void k(int* o) { o[0] = 1; }", "sum").local,
              Extent(16));
}

TEST(LaunchGuess, TheLongestSharedArrayTellsHowLargeABlockIs) {
    const catalogue::LaunchForm kernel = of_cuda(
        "#define BLOCK 8\n__global__ void k(const int* in, int* o) {\n"
        "  __shared__ int s[BLOCK], first; s[threadIdx.x] = in[threadIdx.x]; first = 0;\n"
        "  o[blockIdx.x] = s[threadIdx.x]; }");
    EXPECT_EQ(kernel.local, Extent(8));
    EXPECT_EQ(kernel.global, Extent(64));
    EXPECT_EQ(of_cuda("__global__ void k(int* o) { __shared__ int s[8][9];\n"
                      "  s[threadIdx.y][threadIdx.x] = blockIdx.y; o[0] = s[0][0]; }")
                  .local,
              Extent(8, 8));
    // Two elements for each thread.
    EXPECT_EQ(of_cuda("__global__ void k(int* o) { __shared__ int s[16];\n"
                      "  s[2 * threadIdx.x + 1] = blockIdx.x; o[0] = s[1]; }")
                  .local,
              Extent(8));
    // One for each warp.
    EXPECT_EQ(of_cuda("__global__ void k(int* o) { __shared__ int s[8];\n"
                      "  s[threadIdx.x / warpSize] = blockIdx.x; o[0] = s[0]; }")
                  .local,
              Extent(32));
}

TEST(LaunchGuess, ACountOfElementsIsNeverNought) {
    EXPECT_THAT(guessed("kernel void f(global int* a, int n) {\n"
                        "  for (int i = 0; i < n; ++i) a[(i + 1) * 100000000] = 1; }")
                    .arguments,
                Contains("n=1"));
}

// Odd and even numbers are counted and added by those who hold them, as NVIDIA's sample does.
TEST(LaunchGuess, AKernelOfGroupsHasOneDimension) {
    const catalogue::LaunchForm parts = of_cuda(
        "#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k(const int* in, int* odd, int* sums, unsigned n) {\n"
        "  cg::grid_group grid = cg::this_grid();\n"
        "  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {\n"
        "    const int x = in[i]; auto part = cg::binary_partition(tile, x & 1);\n"
        "    const int sum = cg::reduce(part, x, cg::plus<int>());\n"
        "    if (part.thread_rank() == 0) { atomicAdd(&sums[x & 1], sum);\n"
        "      if (x & 1) atomicAdd(odd, part.size()); }\n"
        "    cg::sync(tile); } }\n");
    EXPECT_EQ(parts.global.dims, 1U);
    EXPECT_EQ(parts.local, Extent(32));
    EXPECT_TRUE(runs(parts));
}

TEST(LaunchGuess, IsTheSameInParts) {
    catalogue::LaunchForm kernel;
    kernel.file = "k.cl";
    kernel.text =
        "kernel void f(global int* a, global int* b) {\n"
        "  for (int k = 0; k < 500; ++k) {\n"
        "    a[2 * get_global_id(0)] = k; b[3 * get_global_id(0) + 1] = a[0]; } }";
    LaunchSearch search(kernel, kClassroom);
    std::optional<LaunchGuess> found;
    int parts = 0;
    for (; !found; ++parts)
        found = search.go_on(1);
    const LaunchGuess whole = guess_launch(kernel, kClassroom);
    EXPECT_GT(parts, whole.runs);
    EXPECT_EQ(found->kernel, whole.kernel);
    EXPECT_EQ(found->runs, whole.runs);
    EXPECT_EQ(found->changed, whole.changed);
    EXPECT_TRUE(found->ended);
}

TEST(LaunchGuess, MakesNoBufferLongerThanItMay) {
    catalogue::LaunchForm kernel;
    kernel.file = "k.cl";
    kernel.text = "kernel void f(global int* a) { a[4 * get_global_id(0)] = 1; }";
    const LaunchGuess guess = guess_launch(kernel, kClassroom, {.elements = 128});
    EXPECT_FALSE(guess.ended);
    EXPECT_FALSE(guess.in_bounds);
    EXPECT_THAT(guess.kernel.arguments, ElementsAre("a:int[128]=ramp"));
}

TEST(LaunchGuess, EndsOnceItIsCancelled) {
    catalogue::LaunchForm kernel;
    kernel.file = "k.cl";
    kernel.text = "kernel void f(global int* a) { while (a[0] != 5) a[1] = a[0]; }";
    const std::atomic<bool> cancel = true;
    const LaunchGuess guess = guess_launch(kernel, kClassroom, {.cancel = &cancel});
    EXPECT_EQ(guess.runs, 1);
    EXPECT_FALSE(guess.ended);
}

TEST(LaunchGuess, WhatIsGivenStays) {
    catalogue::LaunchForm given;
    given.global = 8;
    given.local = 4;
    const catalogue::LaunchForm kernel =
        guessed("kernel void f(global int* a) { a[get_global_id(0)] = 1; }", given);
    EXPECT_EQ(kernel.global, 8U);
    EXPECT_EQ(kernel.local, 4U);
    EXPECT_EQ(launch_text(kernel), "--global 8 --local 4 --arg a:int[64]=ramp");
    catalogue::LaunchForm moved = kernel;
    moved.offset = 3;
    EXPECT_EQ(launch_text(moved), "--global 8 --local 4 --offset 3 --arg a:int[64]=ramp");
}

TEST(LaunchGuess, NeedsATextThatCompilesAndOneKernel) {
    EXPECT_THAT(guessed("kernel void f(global int* a) { a[0] = ; }").arguments, IsEmpty());
    const std::string two =
        "kernel void f(global int* a) { a[0] = 1; }\n"
        "kernel void g(global int* b) { b[0] = 1; }\n";
    EXPECT_THAT(guessed(two).arguments, IsEmpty());
    catalogue::LaunchForm named;
    named.kernel = "g";
    EXPECT_THAT(guessed(two, named).arguments, ElementsAre("b:int[64]=ramp"));
}

TEST(LaunchGuess, ALaunchThatCannotBeIsLeftToItsRun) {
    catalogue::LaunchForm given;
    given.global = 6;
    given.local = 4;
    EXPECT_THAT(guessed("kernel void f(global int* a) { a[0] = 1; }", given).arguments,
                ElementsAre("a:int[64]=ramp"));
}

TEST(LaunchGuess, AFaultOfTheKernelsOwnStays) {
    EXPECT_FALSE(
        runs(guessed("kernel void f(global int* a) { a[-1 - (int)get_global_id(0)] = 1; }")));
}

}  // namespace
}  // namespace lab::analysis
