#include <fmt/format.h>
#include <gmock/gmock.h>

#include "lang/source.h"
#include "support/wrong_kernels.h"

namespace lab::lang {
namespace {

using Severity = Diagnostic::Severity;

std::string shown(const std::string& line, std::uint32_t column, std::uint32_t length) {
    const std::string text =
        text_of({Severity::error, {.line = 1, .column = column, .length = length}, "m", ""},
                {{"k.cl", line}});
    return text.substr(text.find('\n') + 1);
}

TEST(Diagnostics, ReadsAsACompilersMessage) {
    const Sources sources{{"kernels/relaunch.cl", "\n  data[id] = spam;\r\n"}};
    const Place place{.line = 2, .column = 14, .length = 4};
    EXPECT_EQ(text_of({Severity::error, place, "'spam' is not declared", "Declare it"}, sources),
              "kernels/relaunch.cl:2:14: error: 'spam' is not declared\n"
              "    data[id] = spam;\n"
              "               ^~~~\n"
              "  hint: Declare it\n");
    EXPECT_EQ(text_of({Severity::warning, {}, "no place", ""}, sources), "warning: no place\n");
}

TEST(Diagnostics, CaretLinesUpBehindTabsAndOtherAlphabets) {
    EXPECT_EQ(shown("\tx\ty", 4, 1), "  \tx\ty\n  \t \t^\n");
    EXPECT_EQ(shown("\xc3\xa9\xe2\x82\xac x", 7, 1), "  \xc3\xa9\xe2\x82\xac x\n     ^\n");
    EXPECT_EQ(shown("x \xc3\xa9z", 3, 3), "  x \xc3\xa9z\n    ^~\n");
}

TEST(Diagnostics, PlacesBeyondTheLineAreItsEnd) {
    EXPECT_EQ(shown("ab", 3, 0), "  ab\n    ^\n");
    EXPECT_EQ(shown("ab", 99, 99), "  ab\n    ^\n");
    EXPECT_EQ(shown("ab", 2, 4000000000U), "  ab\n   ^\n");
    EXPECT_EQ(shown("", 1, 1), "  \n  ^\n");
    EXPECT_EQ(shown("ab", 0, 0), "  ab\n  ^\n");
}

TEST(Diagnostics, NothingReachesTheTerminalThatControlsIt) {
    EXPECT_EQ(shown("a\x1b[1m\xff\xc2\x85\xe2\x80\xaez", 2, 1), "  a?[1m???z\n   ^\n");
    const Sources sources{{"k\x1b.cl", "x"}};
    EXPECT_EQ(
        text_of({Severity::error, {.line = 1, .column = 1, .length = 1}, "a\nb", "\x07"}, sources),
        "k?.cl:1:1: error: a?b\n  x\n  ^\n  hint: ?\n");
}

TEST(Diagnostics, LongLinesAreAWindow) {
    const std::string line = std::string(1000, 'a') + "bcd" + std::string(1000, 'e');
    const std::string text = shown(line, 1001, 3);
    EXPECT_EQ(text, "  ..." + std::string(40, 'a') + "bcd" + std::string(77, 'e') + "...\n" +
                        std::string(45, ' ') + "^~~\n");
    EXPECT_EQ(shown(line, 2, 1), "  " + std::string(120, 'a') + "...\n   ^\n");
    EXPECT_LT(shown(line, 1, 5000).size(), 300U);
}

TEST(Diagnostics, SaysWhichMacroItCameFrom) {
    Sources sources{{"k.cl", "#define AT(i) in[j]\nx = AT(1);"}};
    Place place{.line = 2, .column = 5, .length = 2, .macro_line = 1, .macro_column = 18};
    EXPECT_EQ(text_of({Severity::error, place, "'j' is not declared", ""}, sources),
              "k.cl:2:5: error: 'j' is not declared\n"
              "  x = AT(1);\n"
              "      ^~\n"
              "  in the expansion of macro 'AT': k.cl:1:18\n"
              "    #define AT(i) in[j]\n"
              "                     ^\n");
    sources.push_back({"<options>", "#define AT(i) in[j]"});
    place.macro_file = 1;
    const std::string text = text_of({Severity::error, place, "m", ""}, sources);
    EXPECT_TRUE(text.ends_with("  in the expansion of macro 'AT', whose body is from <options>\n"));
}

TEST(Diagnostics, KeepsOneErrorOfALineAndTwentyInAll) {
    Diagnostics diagnostics;
    EXPECT_FALSE(diagnostics.failed());
    diagnostics.warning({.line = 1}, "w");
    EXPECT_FALSE(diagnostics.failed());
    diagnostics.error({.line = 1}, "first");
    diagnostics.error({.line = 1, .column = 9}, "second");
    diagnostics.error({.file = 1, .line = 1}, "of another file");
    EXPECT_TRUE(diagnostics.failed());
    EXPECT_EQ(diagnostics.all().size(), 3U);
    for (std::uint32_t line = 2; line < 100; ++line) {
        diagnostics.error({.line = line}, "e");
        diagnostics.warning({.line = line}, "w");
    }
    EXPECT_TRUE(diagnostics.full());
    EXPECT_EQ(diagnostics.all().size(), 2 * Diagnostics::kMost);
}

TEST(Diagnostics, AllAreOneProblem) {
    const Sources sources{{"k.cl", "one\ntwo\nthree\n"}};
    Diagnostics diagnostics;
    diagnostics.warning({.line = 1, .column = 1, .length = 3}, "w");
    diagnostics.error({.line = 2, .column = 1, .length = 3}, "two is wrong");
    Problem problem = problem_of(diagnostics, sources);
    EXPECT_EQ(problem.what_happened, "The kernel's text has 1 error");
    EXPECT_TRUE(problem.hint.empty());
    EXPECT_EQ(problem.where, "k.cl:2:1");
    EXPECT_EQ(problem.exit, Exit::kernel_fault);

    diagnostics.error({.line = 3, .column = 2, .length = 1}, "three too", "Write 3");
    problem = problem_of(diagnostics, sources);
    EXPECT_EQ(problem.what_happened, "The kernel's text has 2 errors");
    EXPECT_EQ(problem.text(),
              "k.cl:2:1: The kernel's text has 2 errors\n"
              "  why:  k.cl:1:1: warning: w\n"
              "          one\n"
              "          ^~~\n"
              "        k.cl:2:1: error: two is wrong\n"
              "          two\n"
              "          ^~~\n"
              "        k.cl:3:2: error: three too\n"
              "          three\n"
              "           ^\n"
              "          hint: Write 3");
    EXPECT_EQ(problem_of({}, sources).exit, Exit::kernel_fault);
}

TEST(Places, AreJoinedWithinALine) {
    const Place a{.line = 2, .column = 3, .length = 2}, b{.line = 2, .column = 8, .length = 4};
    EXPECT_EQ(joined(a, b), (Place{.line = 2, .column = 3, .length = 9}));
    EXPECT_EQ(joined(a, {.line = 3, .column = 1, .length = 1}), a);
    EXPECT_EQ(joined(a, {}), a);
}

TEST(Places, NameLines) {
    const Source source{"k", "one\r\ntwo\n\nfour\r"};
    EXPECT_EQ(line_of(source, 0), "");
    EXPECT_EQ(line_of(source, 1), "one");
    EXPECT_EQ(line_of(source, 2), "two");
    EXPECT_EQ(line_of(source, 3), "");
    EXPECT_EQ(line_of(source, 4), "four\r");  // a \r alone ends no line
    EXPECT_EQ(line_of(source, 5), "");
}

}  // namespace

// Kernels that call in a wrong way what is more than arithmetic: half, copies, printf, geometry.
namespace {

// clang-format off
TEST(DiagnosticsGolden, SpecialCalls) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global half* out) {
    half x = out[0] % 2.0h;
    out[0] = x << 1;
}
)",
         R"(k.cl:2:14: error: '%' of a half
      half x = out[0] % 2.0h;
               ^~~~~~~~~~~~~
  hint: Write fmod(a, b)
k.cl:3:14: error: '<<' of a half
      out[0] = x << 1;
               ^~~~~~
  hint: It is for integers only
)"},
        {R"(kernel void f(global half* out) {
    half x = out[0];
    out[0] = out[1] + 1;
    vstore_half(1.0f, 0, (global int*)out);
    vstore_half2(1.0f, 0, out);
    float y = vload_half(0.5f, out);
}
)",
         R"(k.cl:4:26: error: 'vstore_half' takes a pointer to half last, this is a global int*
      vstore_half(1.0f, 0, (global int*)out);
                           ^~~~~~~~~~~~~~~~
k.cl:5:18: error: 'vstore_half2' takes a float2 first, this is a float
      vstore_half2(1.0f, 0, out);
                   ^~~~
k.cl:6:26: error: 'vload_half' takes an integer offset, this is a float
      float y = vload_half(0.5f, out);
                           ^~~~
)"},
        {R"(kernel void f(global float* in, local float* buf, global int* out, int n) {
    event_t e = async_work_group_copy(buf, buf, 64, 0);
    e = async_work_group_copy(buf, out, 64, e);
    e = async_work_group_copy(buf, in, 1.5f, e);
    e = async_work_group_copy(buf, in, 4, 7);
    e = async_work_group_copy(buf, in, 4);
    wait_group_events(n, &e);
    wait_group_events(1, e);
    e + 1;
}
)",
         R"(k.cl:2:17: error: 'async_work_group_copy' copies between global and local memory, not from local to local
      event_t e = async_work_group_copy(buf, buf, 64, 0);
                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint: One of the two points to local memory
k.cl:3:9: error: 'async_work_group_copy' copies numbers of one type, not int to float
      e = async_work_group_copy(buf, out, 64, e);
          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint: Cast one of the pointers
k.cl:4:40: error: 'async_work_group_copy' takes how many elements, this is a float
      e = async_work_group_copy(buf, in, 1.5f, e);
                                         ^~~~
k.cl:5:43: error: cannot pass an int where an event_t is needed
      e = async_work_group_copy(buf, in, 4, 7);
                                            ^
k.cl:6:9: error: 'async_work_group_copy' takes 4 arguments, but 3 are given
      e = async_work_group_copy(buf, in, 4);
          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
k.cl:7:23: error: 'wait_group_events' needs the number of events as a constant, 64 at most
      wait_group_events(n, &e);
                        ^
  hint: Write wait_group_events(1, &event)
k.cl:8:26: error: 'wait_group_events' takes a pointer to events second, this is an event_t
      wait_group_events(1, e);
                           ^
k.cl:9:5: error: a pointer to void has no elements
      e + 1;
      ^~~~~
  hint: Cast it to another pointer first
)"},
        {R"(kernel void f(global int* out, float x) {
    printf(out);
    printf("%d %f", out[0]);
    printf("%d", x);
    printf("%f", out[0]);
    printf("%v4f", x);
    printf("%d", 1, 2);
    printf("%q", 1);
    printf("%s", out[0]);
}
)",
         R"(k.cl:2:12: error: printf needs its format as a text in quotes
      printf(out);
             ^~~
  hint: Write printf("%d\n", x)
k.cl:3:27: error: printf has no value for its '%f'
      printf("%d %f", out[0]);
                            ^
k.cl:4:18: error: printf's '%d' does not print a float
      printf("%d", x);
                   ^
  hint: %d is for integers, %f for floating-point numbers, %v4f for a float4
k.cl:5:18: error: printf's '%f' does not print an int
      printf("%f", out[0]);
                   ^~~~~~
  hint: %d is for integers, %f for floating-point numbers, %v4f for a float4
k.cl:6:20: error: printf's '%v4f' does not print a float
      printf("%v4f", x);
                     ^
  hint: %d is for integers, %f for floating-point numbers, %v4f for a float4
k.cl:7:21: error: printf has more values than its format
      printf("%d", 1, 2);
                      ^
k.cl:8:12: error: '%q' is no conversion of printf
      printf("%q", 1);
             ^~~~
  hint: There are %d %u %x %f %e %g %c %s %p, and %v4f for a float4
k.cl:9:18: error: printf's '%s' does not print an int
      printf("%s", out[0]);
                   ^~~~~~
  hint: %d is for integers, %f for floating-point numbers, %v4f for a float4
)"},
        {R"(struct __attribute__((aligned(3))) s { int a; };
kernel void f(global int* out) {
    char t[2] = "long";
    out[0] = length(1.0f) + length((int2)(1, 2));
    out[1] = cross((float2)(1), (float2)(2)).x;
}
)",
         R"(k.cl:1:30: error: an alignment is a power of two, 4096 at most
  struct __attribute__((aligned(3))) s { int a; };
                               ^
k.cl:3:17: error: the text does not fit a char[2]
      char t[2] = "long";
                  ^~~~~~
k.cl:4:36: error: 'length' takes vectors of up to four floating-point numbers, this is an int2
      out[0] = length(1.0f) + length((int2)(1, 2));
                                     ^~~~~~~~~~~~
k.cl:5:20: error: 'cross' takes vectors of three or four components, this is a float2
      out[1] = cross((float2)(1), (float2)(2)).x;
                     ^~~~~~~~~~~
)"},
        {R"(kernel void f(global int* out, global uchar* c, local float* x, int order) {
    int e = 0;
    atomic_fetch_add(&e, 1);
    atomic_fetch_add(c, 1);
    atomic_fetch_or(x, 1);
    atomic_load_explicit(out, order);
    atomic_load_explicit(out);
    atomic_compare_exchange_strong(out, x, 1);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, order, memory_scope_device);
    sub_group_ballot_bit_count(1);
}
)",
         R"(k.cl:3:22: error: 'atomic_fetch_add' takes a pointer to global or local numbers first, this is an int*
      atomic_fetch_add(&e, 1);
                       ^~
k.cl:4:22: error: 'atomic_fetch_add' does not take a uchar
      atomic_fetch_add(c, 1);
                       ^
  hint: Use atomic_int, atomic_uint, atomic_long, atomic_ulong, atomic_float
k.cl:5:21: error: 'atomic_fetch_or' does not take a float
      atomic_fetch_or(x, 1);
                      ^
  hint: Use atomic_int, atomic_uint, atomic_long, atomic_ulong, atomic_float
k.cl:6:31: error: 'atomic_load_explicit' needs its memory order and scope as constants
      atomic_load_explicit(out, order);
                                ^~~~~
  hint: Write memory_order_relaxed, memory_order_acquire, … and memory_scope_device, …
k.cl:7:5: error: 'atomic_load_explicit' takes 2 or 3 arguments, but 1 is given
      atomic_load_explicit(out);
      ^~~~~~~~~~~~~~~~~~~~~~~~~
k.cl:8:41: error: 'atomic_compare_exchange_strong' takes a pointer to an int second, this is a local float*
      atomic_compare_exchange_strong(out, x, 1);
                                          ^
k.cl:9:49: error: 'atomic_work_item_fence' needs its memory order and scope as constants
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, order, memory_scope_device);
                                                  ^~~~~
  hint: Write memory_order_relaxed, memory_order_acquire, … and memory_scope_device, …
k.cl:10:32: error: 'sub_group_ballot_bit_count' takes a uint4 first, this is an int
      sub_group_ballot_bit_count(1);
                                 ^
)"},
        // A function that is right for global memory, called for private memory after that.
        {R"(void add(int* p) { atomic_add(p, 1); }
void both(int* p, int* q) { add(p); add(q); }
kernel void f(global int* out) {
    int own;
    both(out, out);
    both(&own, out);
}
)",
         R"(k.cl:1:31: error: 'atomic_add' takes a pointer to global or local integers first, this is an int*
  void add(int* p) { atomic_add(p, 1); }
                                ^
)"},
    };
    check(kAll);
}
// clang-format on

}  // namespace

// Wrong kernels: macros and directives.
namespace {

// clang-format off
TEST(DiagnosticsGolden, MacrosAndDirectives) {
    static constexpr Wrong kAll[] = {
        {R"(#define COMBINE(a, b) ((a) + spam(b))
kernel void f(global int* out) {
    out[0] = COMBINE(out[0], out[1]);
}
)",
         R"(k.cl:3:14: error: there is no function 'spam'
      out[0] = COMBINE(out[0], out[1]);
               ^~~~~~~
  in the expansion of macro 'COMBINE': k.cl:1:30
    #define COMBINE(a, b) ((a) + spam(b))
                                 ^~~~
  hint: Define it before this line; OpenCL C's own are listed in its specification
)"},
        {R"(#define N 4
#define INDEX(i) out[i + offset]
kernel void f(global int* out) {
    for (int i = 0; i < N; ++i)
        INDEX(i) = 1;
}
)",
         R"(k.cl:5:9: error: 'offset' is not declared
          INDEX(i) = 1;
          ^~~~~
  in the expansion of macro 'INDEX': k.cl:2:26
    #define INDEX(i) out[i + offset]
                             ^~~~~~
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(#define TWICE(x) ((x) * 2)
kernel void f(global int* out) {
    out[0] = TWICE(spam);
}
)",
         R"(k.cl:3:20: error: 'spam' is not declared
      out[0] = TWICE(spam);
                     ^~~~
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(#define SQUARE(x) ((x) * (x))
#define AREA(r) (3 * SQUARE(r.y))
kernel void f(global int* out) {
    out[0] = AREA(out[1]);
}
)",
         R"(k.cl:4:14: error: an int has no members
      out[0] = AREA(out[1]);
               ^~~~
  in the expansion of macro 'AREA': k.cl:2:31
    #define AREA(r) (3 * SQUARE(r.y))
                                  ^
)"},
        {R"(#define MOD(a, b) ((a) % (b))
kernel void f(global int* out, float x) {
    out[0] = MOD(x, 2);
}
)",
         R"(k.cl:3:14: error: '%' of a float
      out[0] = MOD(x, 2);
               ^~~
  in the expansion of macro 'MOD': k.cl:1:24
    #define MOD(a, b) ((a) % (b))
                           ^
  hint: Write fmod(a, b)
)"},
        {R"(#define COMBINE(a, b) (a + b)
kernel void f(global int* out, float4 v, int4 w) {
    out[0] = COMBINE(v, w);
}
)",
         R"(k.cl:3:14: error: '+' of a float4 and an int4
      out[0] = COMBINE(v, w);
               ^~~~~~~
  in the expansion of macro 'COMBINE': k.cl:1:26
    #define COMBINE(a, b) (a + b)
                             ^
  hint: Vectors must be of one type: write convert_float4( )
)"},
        {R"(#define LAST out[n
kernel void f(global int* out, int n) {
    LAST - 1] = 0;
    out[0] = LAST;
}
)",
         R"(k.cl:4:18: error: expected ']' after the index, found ';'
      out[0] = LAST;
                   ^
)"},
        {R"(#define A_LINE int a = 1;
kernel void f(global int* out) {
    A_LINE
    A_LINE
    out[0] = a
}
)",
         R"(k.cl:4:5: error: 'a' is already declared in this scope
      A_LINE
      ^~~~~~
  in the expansion of macro 'A_LINE': k.cl:1:20
    #define A_LINE int a = 1;
                       ^
  hint: The first is in line 3
k.cl:5:15: error: expected ';' after the expression
      out[0] = a
                ^
)"},
        {R"(#if X >
#endif
#include "other.cl"
#error stop here
kernel void f(global int* out) { out[0] = 1; }
)",
         R"(k.cl:1:7: error: expected a value in this condition, but found the end of the line
  #if X >
        ^
k.cl:3:1: error: #include "other.cl" is not found
  #include "other.cl"
  ^~~~~~~~
  hint: Put that file beside the kernel's, or its text into the kernel's file
k.cl:4:1: error: #error stop here
  #error stop here
  ^~~~~~
)"},
        {R"(kernel void f(global int* out) {
#ifdef A
    out[0] = 1;
}
)",
         R"(k.cl:2:1: error: #ifdef without #endif
  #ifdef A
  ^~~~~~
)"},
        {R"(#define ADD(a, b) a + b
kernel void f(global int* out) {
    out[0] = ADD(1);
    out[1] = ADD(1, 2;
}
)",
         R"(k.cl:3:14: error: macro 'ADD' takes 2 arguments, but 1 is given
      out[0] = ADD(1);
               ^~~
  hint: It is defined at k.cl:1
k.cl:4:14: error: the arguments of macro 'ADD' have no closing ')'
      out[1] = ADD(1, 2;
               ^~~
)"},
    };
    check(kAll);
}

TEST(DiagnosticsGolden, MacrosFromOptions) {
    EXPECT_EQ(said_of("kernel void f(global int* out) { out[0] = WIDTH; }\n",
                      define_line("WIDTH=widht * 2")),
              "k.cl:1:43: error: 'widht' is not declared\n"
              "  kernel void f(global int* out) { out[0] = WIDTH; }\n"
              "                                            ^~~~~\n"
              "  in the expansion of macro 'WIDTH', whose body is from <macros>\n"
              "  hint: Declare it, or pass it with --set NAME=VALUE\n");
}
// clang-format on

TEST(DiagnosticsGolden, StopsAtTwentyErrors) {
    std::string text = "kernel void f(global int* out) {\n";
    for (int i = 0; i < 50; ++i)
        text += "    out[0] = a" + std::to_string(i) + ";\n";
    const Compiled compiled = compile({"k.cl", text + "}\n", ""});
    EXPECT_EQ(compiled.diagnostics.all().size(), Diagnostics::kMost);
}

// Whatever is cut off: there is an error, and it ends.
TEST(DiagnosticsGolden, EveryBeginningOfAKernelIsTold) {
    const std::string text =
        "#define ADD(a, b) ((a) + (b))\n"
        "typedef struct { int a; float4 v; } item;\n"
        "int twice(int x) { return ADD(x, x); }\n"
        "kernel void f(global item* out, const uint n) {\n"
        "    for (uint i = 0; i < n; ++i) { if (i % 2) continue; out[i].a = twice((int)i); }\n"
        "    switch (n) { case 1: out[0].v.xy = (float2)(1, 2); break; default: ; }\n"
        "}";
    for (std::size_t length = 0; length + 1 < text.size(); ++length)
        EXPECT_TRUE(compile({"k.cl", text.substr(0, length), ""}).diagnostics.failed()) << length;
    EXPECT_FALSE(compile({"k.cl", text, ""}).diagnostics.failed());
}

}  // namespace

// Wrong kernels: names, calls, cases and the kernels themselves.
namespace {

// clang-format off
TEST(DiagnosticsGolden, Names) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global int* out) {
    out[0] = spam;
    out[1] = spam + 1;
    out[2] = spam;
}
)",
         R"(k.cl:2:14: error: 'spam' is not declared
      out[0] = spam;
               ^~~~
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(kernel void f(global int* out) {
    out[0] = combine(1, 2);
    out[1] = combine(3, 4);
}
)",
         R"(k.cl:2:14: error: there is no function 'combine'
      out[0] = combine(1, 2);
               ^~~~~~~
  hint: Define it before this line; OpenCL C's own are listed in its specification
)"},
        {R"(kernel void f(global int* out) {
    int x = 1;
    float x = 2;
    out[0] = x;
}
)",
         R"(k.cl:3:11: error: 'x' is already declared in this scope
      float x = 2;
            ^
  hint: The first is in line 2
)"},
        {R"(kernel void f(global int* out) {
    out[0] = out(1);
}
)",
         R"(k.cl:2:14: error: 'out' is no function
      out[0] = out(1);
               ^~~
  hint: It is a variable, declared in line 1
)"},
        {R"(kernel void f(global int* out) {
    uint gid = get_global_id();
    uint lid = get_localid(0);
    out[gid] = threadIdx.x;
    __syncthreads();
}
)",
         R"(k.cl:2:16: error: 'get_global_id' takes 1 argument, but 0 are given
      uint gid = get_global_id();
                 ^~~~~~~~~~~~~~~
k.cl:3:16: error: there is no function 'get_localid'
      uint lid = get_localid(0);
                 ^~~~~~~~~~~
  hint: Is 'get_local_id' meant?
k.cl:4:16: error: 'threadIdx' is not declared
      out[gid] = threadIdx.x;
                 ^~~~~~~~~
  hint: Declare it, or pass it with --set NAME=VALUE
k.cl:5:5: error: '__syncthreads' is not supported here: it is no function of OpenCL C
      __syncthreads();
      ^~~~~~~~~~~~~
  hint: Write barrier(CLK_LOCAL_MEM_FENCE)
)"},
        {R"(kernel void f(global int* out) {
    auto x = 1;
    out[0] = x;
    vec4 v;
}
)",
         R"(k.cl:2:5: error: OpenCL C has no 'auto'
      auto x = 1;
      ^~~~
  hint: Leave it away
k.cl:4:5: error: 'vec4' is no type
      vec4 v;
      ^~~~
  hint: Types are int, float4, size_t and the like, or a typedef before this line
)"},
        {R"(kernel void f(global int* out) {
    WORD a = 1;
    WORD b = a;
    out[0] = a + b;
}
)",
         R"(k.cl:2:5: error: 'WORD' is no type
      WORD a = 1;
      ^~~~
  hint: Types are int, float4, size_t and the like, or a typedef before this line
)"},
        {R"(kernel void f(global int* out) {
    struct pair p;
    out[0] = p.x;
}
)",
         R"(k.cl:2:17: error: the members of 'struct pair' are not known here
      struct pair p;
                  ^
  hint: Give its members before this line
)"},
        {R"(struct pair { int a; int a; };
struct empty { };
kernel void f(global int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:26: error: two members are named 'a'
  struct pair { int a; int a; };
                           ^
k.cl:2:16: error: a structure needs a member
  struct empty { };
                 ^
)"},
        {R"(kernel void f(global int* out, uint n, float n) {
    out[0] = n;
}
)",
         R"(k.cl:1:46: error: 'n' is already declared in this scope
  kernel void f(global int* out, uint n, float n) {
                                               ^
  hint: The first is in line 1
)"},
        {R"(kernel void f(global int* out, uint) {
    out[0] = 1;
}
)",
         R"(k.cl:1:36: error: an argument of a function with a body needs a name
  kernel void f(global int* out, uint) {
                                     ^
)"},
        {R"(enum { A, B = A + x, C };
kernel void f(global int* out) {
    out[0] = A(1);
    B = 2;
}
)",
         R"(k.cl:1:19: error: 'x' is not declared
  enum { A, B = A + x, C };
                    ^
  hint: Declare it, or pass it with --set NAME=VALUE
k.cl:3:14: error: 'A' is no function
      out[0] = A(1);
               ^
k.cl:4:5: error: this cannot be assigned to
      B = 2;
      ^
  hint: Only variables, elements and members can
)"},
        {R"(kernel void f(global int* out) {
    int a = 1, b = spam, c = 2;
    out[0] = a + b + c;
}
)",
         R"(k.cl:2:20: error: 'spam' is not declared
      int a = 1, b = spam, c = 2;
                     ^~~~
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(int add(int a) { return a; }
int add(int a) { return a + 1; }
kernel void f(global int* out) { out[0] = add(1); }
)",
         R"(k.cl:2:5: error: 'add' is already defined
  int add(int a) { return a + 1; }
      ^~~
  hint: The first is in line 1
)"},
    };
    check(kAll);
}

TEST(DiagnosticsGolden, Calls) {
    static constexpr Wrong kAll[] = {
        {R"(int add(int a, int b) { return a + b; }
kernel void f(global int* out) {
    out[0] = add(1);
}
)",
         R"(k.cl:3:14: error: 'add' takes 2 arguments, but 1 is given
      out[0] = add(1);
               ^~~~~~
)"},
        {R"(kernel void f(global int* out) {
    out[0] = max(1);
}
)",
         R"(k.cl:2:14: error: 'max' takes 2 arguments, but 1 is given
      out[0] = max(1);
               ^~~~~~
)"},
        {R"(kernel void f(global int* out) {
    barrier();
    mem_fence(out[0]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, 1, 2);
}
)",
         R"(k.cl:2:5: error: 'barrier' takes 1 argument, but 0 are given
      barrier();
      ^~~~~~~~~
k.cl:3:15: error: 'mem_fence' needs its flags as constants
      mem_fence(out[0]);
                ^~~~~~
  hint: Write CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both with | between
k.cl:4:5: error: 'barrier' takes 1 argument, but 3 are given
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, 1, 2);
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)"},
        {R"(kernel void f(global int* out, global float* x) {
    atomic_add(x, 1.0f);
    atomic_add(out[0], 1);
    atomic_inc(out, 1);
}
)",
         R"(k.cl:2:16: error: 'atomic_add' does not take a float
      atomic_add(x, 1.0f);
                 ^
  hint: Atomics are of int and uint; a float needs a compare-exchange loop
k.cl:3:16: error: 'atomic_add' takes a pointer to global or local integers first, this is an int
      atomic_add(out[0], 1);
                 ^~~~~~
k.cl:4:5: error: 'atomic_inc' takes 1 argument, but 2 are given
      atomic_inc(out, 1);
      ^~~~~~~~~~~~~~~~~~
)"},
        {R"(int twice(int x);
kernel void f(global int* out) {
    out[0] = twice(1);
}
)",
         R"(k.cl:3:14: error: 'twice' is declared but has no body
      out[0] = twice(1);
               ^~~~~~~~
  hint: Define it in this file
)"},
        {R"(kernel void f(global float4* out) {
    out[0] = ldexp(out[0], (int2)(1, 2));
}
)",
         R"(k.cl:2:28: error: 'ldexp' takes an int4 second, this is an int2
      out[0] = ldexp(out[0], (int2)(1, 2));
                             ^~~~~~~~~~~~
)"},
    };
    check(kAll);
}

TEST(DiagnosticsGolden, Cases) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global int* out) {
    switch (out[0]) {
        case 1: out[1] = 1; break;
        case 2: out[1] = 2; break;
        case 1: out[1] = 3; break;
    }
}
)",
         R"(k.cl:5:9: error: this case stands twice in one switch
          case 1: out[1] = 3; break;
          ^~~~
)"},
        {R"(kernel void f(global int* out) {
    switch (out[0]) {
        default: out[1] = 1; break;
        default: out[1] = 2;
    }
}
)",
         R"(k.cl:4:9: error: a second 'default' in one switch
          default: out[1] = 2;
          ^~~~~~~
)"},
        {R"(kernel void f(global int* out) {
    switch (out[0]) {
        case out[1]: out[1] = 1;
    }
}
)",
         R"(k.cl:3:14: error: a case needs a constant integer
          case out[1]: out[1] = 1;
               ^~~~~~
)"},
    };
    check(kAll);
}

TEST(DiagnosticsGolden, Kernels) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:20: error: the kernel's argument 'out' points to private memory
  kernel void f(int* out) {
                     ^~~
  hint: Write global, local or constant before int
)"},
        {R"(kernel int f(global int* out) {
    return 1;
}
)",
         R"(k.cl:1:12: error: a kernel returns nothing
  kernel int f(global int* out) {
             ^
  hint: Write kernel void, and a buffer for results
)"},
        {R"(kernel void f(global int** out) {
}
)",
         R"(k.cl:1:28: error: a kernel takes no pointers to pointers
  kernel void f(global int** out) {
                             ^~~
  hint: Pass one buffer and where its parts begin
)"},
        {R"(kernel void f(bool flag, global int* out) {
}
)",
         R"(k.cl:1:20: error: a kernel's argument cannot be or hold a bool here
  kernel void f(bool flag, global int* out) {
                     ^~~~
  hint: Use int
)"},
        {R"(kernel void f(global int out, local float x) {
    out[0] = 1;
}
)",
         R"(k.cl:1:26: error: an argument in global memory must be a pointer
  kernel void f(global int out, local float x) {
                           ^~~
  hint: Write * before its name
)"},
        {R"(void f(global int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:1: error: there is no kernel in this text
  void f(global int* out) {
  ^
  hint: A kernel begins with: kernel void name(global int* data)
)"},
        {R"(kernel void f(global int* out) { out[0] = 1; }
kernel void g(global int* out) { out[0] = 1; }
)",
         R"(k.cl:1:1: error: there are several kernels in this text
  kernel void f(global int* out) { out[0] = 1; }
  ^
  hint: Name one with --kernel: f, g
)"},
    };
    check(kAll);
}
// clang-format on

}  // namespace

// Wrong kernels: what the parser says, and what address spaces forbid.
namespace {

// clang-format off
TEST(DiagnosticsGolden, Syntax) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global int* out) {
    int x = 1
    out[0] = x;
}
)",
         R"(k.cl:2:14: error: expected ';' after the declaration
      int x = 1
               ^
)"},
        {R"(kernel void f(global int* out) {
    out[0] = (1 + 2;
}
)",
         R"(k.cl:2:20: error: expected ')' after the expression, found ';'
      out[0] = (1 + 2;
                     ^
)"},
        {R"(kernel void f(global int* out) {
    int a = ;
    out[0] = b;
    out[1] = a;
    float c = 1.0f % 2.0f;
    out[2] = c;
    brake;
}
)",
         R"(k.cl:2:13: error: expected an expression, found ';'
      int a = ;
              ^
k.cl:3:14: error: 'b' is not declared
      out[0] = b;
               ^
  hint: Declare it, or pass it with --set NAME=VALUE
k.cl:5:15: error: '%' of a float
      float c = 1.0f % 2.0f;
                ^~~~~~~~~~~
  hint: Write fmod(a, b)
k.cl:7:5: error: 'brake' is not declared
      brake;
      ^~~~~
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(kernel void f(global int* out) {
    if (out[0]) {
        out[1] = 2;
)",
         R"(k.cl:2:17: error: this '{' is never closed
      if (out[0]) {
                  ^
  hint: Write } where the block ends
)"},
        {R"(kernel void f(global int* out) {
    out[0] = 1;
    break;
}
)",
         R"(k.cl:3:5: error: 'break' stands in no loop or switch
      break;
      ^~~~~
)"},
        {R"(kernel void f(global int* out) {
    continue;
}
)",
         R"(k.cl:2:5: error: 'continue' stands in no loop
      continue;
      ^~~~~~~~
)"},
        {R"(kernel void f(global int* out) {
    out[0] = out[1] +;
}
)",
         R"(k.cl:2:22: error: expected an expression, found ';'
      out[0] = out[1] +;
                       ^
)"},
        {R"(kernel void f(global int* out) {
    for (int i = 0; i < 4; ++i {
        out[i] = 1;
    }
}
)",
         R"(k.cl:2:32: error: expected ')' after the head of 'for', found '{'
      for (int i = 0; i < 4; ++i {
                                 ^
)"},
        {R"(kernel void f(global int* out) {
    for (int i = 0, i < 4, ++i)
        out[i] = 1;
    out[4] = 1;
}
)",
         R"(k.cl:2:21: error: 'i' is already declared in this scope
      for (int i = 0, i < 4, ++i)
                      ^
  hint: The first is in line 2
)"},
        {R"(kernel void f(global int* out) {
    if out[0] > 1
        out[1] = 2;
}
)",
         R"(k.cl:2:8: error: expected '(' after 'if', found 'out'
      if out[0] > 1
         ^~~
)"},
        {R"(kernel void f(global int* out) {
    while (out[0] {
        out[0] -= 1;
    }
}
)",
         R"(k.cl:2:19: error: expected ')' after the condition, found '{'
      while (out[0] {
                    ^
)"},
        {R"(kernel void f(global int* out)
    out[0] = 1;
}
)",
         R"(k.cl:2:5: error: expected '{' or ';' after the arguments, found 'out'
      out[0] = 1;
      ^~~
)"},
        {R"(kernel void f(global int* out) {
    out[0] = 1;
}}
)",
         R"(k.cl:3:2: error: this '}' closes no '{'
  }}
   ^
)"},
        {R"(kernel void f(global int* out) {
    else out[0] = 1;
    case 3: out[0] = 1;
}
)",
         R"(k.cl:2:5: error: 'else' without an 'if' before it
      else out[0] = 1;
      ^~~~
k.cl:3:5: error: 'case' stands in no switch of its own level
      case 3: out[0] = 1;
      ^~~~
  hint: Case labels belong directly into the block of a switch
)"},
        {R"(kernel void f(global int* out) {
    do { out[0] = 1; } while (out[0] < 1)
    out[1] = 1;
}
)",
         R"(k.cl:2:42: error: expected ';' after 'do … while'
      do { out[0] = 1; } while (out[0] < 1)
                                           ^
)"},
        {R"(kernel void f(global int* out, uint n
{
    out[0] = n;
}
)",
         R"(k.cl:1:38: error: expected ')' after the arguments
  kernel void f(global int* out, uint n
                                       ^
)"},
        {R"(kernel void f(global int* out) {
    for (int i = 0; i < 4; i++)
        int x = i;
    out[0] = x;
}
)",
         R"(k.cl:3:9: error: a declaration needs a block around it here
          int x = i;
          ^~~
  hint: Write { }
k.cl:4:14: error: 'x' is not declared
      out[0] = x;
               ^
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(kernel void f(global int* out) {
    int x = 3
    int y = 4;
    out[0] = x + y;
}
)",
         R"(k.cl:2:14: error: expected ';' after the declaration
      int x = 3
               ^
)"},
        {R"(kernel void f(global int* out) {
    size_t i = get_global_id(0);
    out[i] = i > 3 ? 1 : 2
    out[i + 1] = 4;
    out[i + 2] = oops;
}
)",
         R"(k.cl:3:27: error: expected ';' after the expression
      out[i] = i > 3 ? 1 : 2
                            ^
k.cl:5:18: error: 'oops' is not declared
      out[i + 2] = oops;
                   ^~~~
  hint: Declare it, or pass it with --set NAME=VALUE
)"},
        {R"(kernel void f(global int* out) {
    barrier(CLK_LOCAL_MEM_FENCE)
    int x = 3;
    out[0] = x;
}
)",
         R"(k.cl:2:33: error: expected ';' after the expression
      barrier(CLK_LOCAL_MEM_FENCE)
                                  ^
)"},
        {R"(typedef int number
kernel void f(global number* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:19: error: expected ';' after the declaration
  typedef int number
                    ^
)"},
        {R"(kernel void f(global int* out) {
    if (out[0] = 1) out[1] = 2;
    while (out) break;
    do out[0]++; until (out[0] > 3);
}
)",
         R"(k.cl:4:18: error: expected 'while' after the body of 'do', found 'until'
      do out[0]++; until (out[0] > 3);
                   ^~~~~
)"},
        {R"(kernel void f(global int* out) {
    int x = out[0] ? 1;
    int y = out[0] ? 1 : out;
    out[1] = x + y;
}
)",
         R"(k.cl:2:23: error: expected ':' after the first choice of '?', found ';'
      int x = out[0] ? 1;
                        ^
k.cl:3:13: error: '?' chooses between an int and a global int*
      int y = out[0] ? 1 : out;
              ^~~~~~~~~~~~~~~~
  hint: Both must be of one type
)"},
        {R"(kernel void f(global int* out, float x, float2 y) {
    out[0] = x ? 1 : 2;
    out[1] = x != 0 ? 1 : 2;
    int2 z = y ? (int2)(1) : (int2)(2);
}
)",
         R"(k.cl:2:14: error: '?' asks a float, but takes an integer or a comparison
      out[0] = x ? 1 : 2;
               ^
  hint: Compare it: x != 0 ? a : b
k.cl:4:14: error: '?' asks a float2, but takes an integer or a comparison
      int2 z = y ? (int2)(1) : (int2)(2);
               ^
  hint: Compare it: x != 0 ? a : b
)"},
        {R"(/* never ends
kernel void f(global int* out) { out[0] = 1; }
)",
         R"(k.cl:1:1: error: this comment has no end
  /* never ends
  ^~
  hint: Close it with */
)"},
        {R"(kernel void f(global int* out) {
    out[0] = 1 @ 2;
    out[1] = `x`;
    out[2] = 'x;
}
)",
         R"(k.cl:4:14: error: this character has no closing ' in its line
      out[2] = 'x;
               ^~~
)"},
    };
    check(kAll);
}

TEST(DiagnosticsGolden, AddressSpaces) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global int* out, local int* buf) {
    global int* p = buf;
    p[0] = 1;
}
)",
         R"(k.cl:2:21: error: cannot initialise a local int* where a global int* is needed
      global int* p = buf;
                      ^~~
  hint: This points to local memory: the other must be a pointer to local memory too
)"},
        {R"(kernel void f(global int* out, local int* buf) {
    int x, *p = out;
    p = &x;
}
)",
         R"(k.cl:2:17: warning: a pointer that names no memory points to global memory here
      int x, *p = out;
                  ^~~
  hint: OpenCL C 1.2 wants global before its type
k.cl:3:9: error: cannot assign an int* where a global int* is needed
      p = &x;
          ^~
  hint: This points to private memory: the other must be a pointer to private memory too
)"},
        {R"(kernel void f(global int* out, local int* buf) {
    int* p = out;
    p = buf;
    p = 1.5f;
}
)",
         R"(k.cl:2:10: warning: a pointer that names no memory points to local or global memory here
      int* p = out;
           ^
  hint: OpenCL C 1.2 has no such pointers
k.cl:4:9: error: cannot assign a float where a generic int* is needed
      p = 1.5f;
          ^~~~
)"},
        {R"(void set(local int* p) { p[0] = 1; }
kernel void f(global int* out) {
    set(out);
}
)",
         R"(k.cl:3:9: error: cannot pass a global int* where a local int* is needed
      set(out);
          ^~~
  hint: This points to global memory: the other must be a pointer to global memory too
)"},
        {R"(kernel void f(global int* out) {
    if (out[0]) {
        local int buf[4];
        buf[0] = 1;
    }
}
)",
         R"(k.cl:3:19: error: local variables are declared at the top level of a kernel only
          local int buf[4];
                    ^~~
  hint: Declare it there and pass a pointer to it
)"},
        {R"(void g(global int* out) {
    local int buf[4];
    buf[0] = 1;
}
kernel void f(global int* out) { g(out); }
)",
         R"(k.cl:2:15: error: local variables are declared at the top level of a kernel only
      local int buf[4];
                ^~~
  hint: Declare it there and pass a pointer to it
)"},
        {R"(kernel void f(global int* out) {
    local int buf[4] = {1, 2, 3, 4};
    out[0] = buf[0];
}
)",
         R"(k.cl:2:24: error: a local variable cannot be given a value where it is declared
      local int buf[4] = {1, 2, 3, 4};
                         ^
  hint: Let one work-item assign it, then a barrier
)"},
        {R"(int counter = 0;
constant int table[];
constant int size;
kernel void f(global int* out) {
    out[0] = counter;
}
)",
         R"(k.cl:1:5: warning: 'counter' outside of functions is global: OpenCL C 1.2 wants constant
  int counter = 0;
      ^~~~~~~
  hint: Write constant or global before its type
k.cl:2:14: error: constant 'table' has no value
  constant int table[];
               ^~~~~
  hint: Write = and its value
k.cl:3:14: error: constant 'size' has no value
  constant int size;
               ^~~~
  hint: Write = and its value
)"},
        {R"(kernel void f(global int* out) {
    global int x = 5;
    constant int y = 6;
    constant int z[2] = {1, 2};
    out[0] = x + y + z[0];
}
)",
         R"(k.cl:2:16: error: a variable cannot lie in global memory
      global int x = 5;
                 ^
  hint: Pass a buffer as an argument, or leave 'global' away
)"},
    };
    check(kAll);
}
// clang-format on

}  // namespace

// Wrong kernels: types that do not fit.
namespace {

// clang-format off
TEST(DiagnosticsGolden, Types) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global int* out) {
    float4 v = (float4)(1.0f);
    out[0] = v;
}
)",
         R"(k.cl:3:14: error: cannot assign a float4 where an int is needed
      out[0] = v;
               ^
)"},
        {R"(kernel void f(global int* out) {
    int v = 1;
    v.x = 2;
    out[0] = v;
}
)",
         R"(k.cl:3:5: error: an int has no members
      v.x = 2;
      ^~~
)"},
        {R"(struct pair { int a, b; };
kernel void f(global struct pair* out) {
    out->c = 2;
    out.a = 1;
}
)",
         R"(k.cl:3:10: error: 'struct pair' has no member 'c'
      out->c = 2;
           ^
k.cl:4:5: error: a global struct pair* has no members
      out.a = 1;
      ^~~~~
  hint: Write -> for a pointer to a structure
)"},
        {R"(kernel void f(global float4* out) {
    out[0].xz = out[0].xyz;
    out[1].q = 1.0f;
    out[2].xx = (float2)(1.0f);
}
)",
         R"(k.cl:2:17: error: cannot assign a float3 where a float2 is needed
      out[0].xz = out[0].xyz;
                  ^~~~~~~~~~
  hint: Write convert_float2( ) or as_float2( )
k.cl:3:5: error: a float4 has no components 'q'
      out[1].q = 1.0f;
      ^~~~~~~~
  hint: Write .x .y .z .w, .s0 to .sf, .lo .hi .even .odd, or several: .xy
k.cl:4:5: error: this cannot be assigned to
      out[2].xx = (float2)(1.0f);
      ^~~~~~~~~
  hint: Only variables, elements and members can
)"},
        {R"(kernel void f(global float4* out, global int4* in) {
    out[0] = in[0];
    out[1] = out[1] + in[1];
    out[2] = (float4)(1.0f, 2.0f, 3.0f);
}
)",
         R"(k.cl:2:14: error: cannot assign an int4 where a float4 is needed
      out[0] = in[0];
               ^~~~~
  hint: Write convert_float4( ) or as_float4( )
k.cl:3:14: error: '+' of a float4 and an int4
      out[1] = out[1] + in[1];
               ^~~~~~~~~~~~~~
  hint: Vectors must be of one type: write convert_float4( )
k.cl:4:14: error: a float4 takes 4 components, but 3 are given
      out[2] = (float4)(1.0f, 2.0f, 3.0f);
               ^~~~~~~~~~~~~~~~~~~~~~~~~~
)"},
        {R"(kernel void f(global int* out) {
    3 = out[0];
    out[0] + 1 = 2;
    ++5;
    &3;
}
)",
         R"(k.cl:2:5: error: this cannot be assigned to
      3 = out[0];
      ^
  hint: Only variables, elements and members can
k.cl:3:5: error: this cannot be assigned to
      out[0] + 1 = 2;
      ^~~~~~~~~~
  hint: Only variables, elements and members can
k.cl:4:7: error: this cannot be incremented
      ++5;
        ^
  hint: Only variables, elements and members can
k.cl:5:5: error: this has no address
      &3;
      ^~
)"},
        {R"(kernel void f(global int* out) {
    float x = out;
    out[0] = *x;
    out[1.5f] = 1;
    out = 1;
}
)",
         R"(k.cl:2:15: error: cannot initialise a global int* where a float is needed
      float x = out;
                ^~~
k.cl:3:14: error: a float points to nothing that can be read or written
      out[0] = *x;
               ^~
  hint: Only pointers have * and ->
k.cl:4:9: error: an index must be an integer, this is a float
      out[1.5f] = 1;
          ^~~~
  hint: Write (int)value
k.cl:5:11: error: cannot assign an int where a global int* is needed
      out = 1;
            ^
)"},
        {R"(unsigned f1(unsigned x) { return; }
void f2(int x) { return x; }
kernel void f(global int* out) {
    out[0] = f2(1);
}
)",
         R"(k.cl:1:27: error: 'f1' returns a uint
  unsigned f1(unsigned x) { return; }
                            ^~~~~~
  hint: Write the value after 'return'
k.cl:2:25: error: 'f2' returns nothing
  void f2(int x) { return x; }
                          ^
k.cl:4:14: error: cannot assign a void where an int is needed
      out[0] = f2(1);
               ^~~~~
)"},
        {R"(kernel void f(global int* out) {
    int a[n];
    int b[0];
    int c[];
    int d[2] = {1, 2, 3};
    int e[3] = 5;
}
)",
         R"(k.cl:2:11: error: 'n' is not declared
      int a[n];
            ^
  hint: Declare it, or pass it with --set NAME=VALUE
k.cl:3:11: error: an array needs a length of 1 or more
      int b[0];
            ^
k.cl:4:9: error: the array has no length
      int c[];
          ^
  hint: Write it between [ and ]
k.cl:5:23: error: there are more values than an int[2] has
      int d[2] = {1, 2, 3};
                        ^
k.cl:6:16: error: an array is initialised by a list
      int e[3] = 5;
                 ^
  hint: Write { and its elements }
)"},
        {R"(kernel void f(global int* out) {
    const int x = 1;
    x = 2;
}
)",
         R"(k.cl:3:5: error: 'x' is const and cannot be assigned to
      x = 2;
      ^
  hint: Leave 'const' away
)"},
        {R"(kernel void f(global const int* in) {
    in[0] = 2;
}
)",
         R"(k.cl:2:5: error: this is const and cannot be assigned to
      in[0] = 2;
      ^~~~~
  hint: Leave 'const' away
)"},
        {R"(kernel void f(global int* out) {
    int4 v = (int4)(1, 2, 3, 4);
    if (v > 2) out[0] = 1;
    out[1] = (v + 1)[out[0]];
    out[2] = v ? 1 : 2;
}
)",
         R"(k.cl:3:9: error: a condition must be a number, this is an int4
      if (v > 2) out[0] = 1;
          ^~~~~
  hint: Write any( ) or all( )
k.cl:4:14: error: a vector has no [ ] with a variable between them
      out[1] = (v + 1)[out[0]];
               ^~~~~~~~~~~~~~~
  hint: Write .x, .y, .s0, or copy it to an array with vstore
k.cl:5:14: error: cannot assign an int4 where an int is needed
      out[2] = v ? 1 : 2;
               ^~~~~~~~~
)"},
        {R"(kernel void f(local int buf[64], global int* out) {
    int a[2][2] = {{1, 2}, {3, 4}};
    out[0] = a[0];
    a = out;
}
)",
         R"(k.cl:3:14: error: cannot assign an int* where an int is needed
      out[0] = a[0];
               ^~~~
k.cl:4:5: error: this cannot be assigned to
      a = out;
      ^
  hint: Only variables, elements and members can
)"},
        {R"(kernel void f(global int* out) {
    out[0] = min(out[0], (float2)(1, 2));
    out[1] = select(1, 2, 1.5f);
    out[2] = clz(1.5f);
    out[3] = any(1.0f);
}
)",
         R"(k.cl:2:14: error: cannot assign a float2 where an int is needed
      out[0] = min(out[0], (float2)(1, 2));
               ^~~~~~~~~~~~~~~~~~~~~~~~~~~
k.cl:3:27: error: 'select' of an int needs an int to choose by, this is a float
      out[1] = select(1, 2, 1.5f);
                            ^~~~
  hint: It has as many components, as wide: a comparison gives one
k.cl:4:18: error: 'clz' takes integers, this is a float
      out[2] = clz(1.5f);
                   ^~~~
k.cl:5:18: error: 'any' takes integers, this is a float
      out[3] = any(1.0f);
                   ^~~~
)"},
        {R"(kernel void f(global int* out) {
    out[0] = as_float2(out[0]);
    out[1] = as_int(1.0);
    out[2] = convert_int((float2)(1, 2));
    out[3] = convert_integer(1.0f);
}
)",
         R"(k.cl:2:14: error: an int and a float2 are not of one size
      out[0] = as_float2(out[0]);
               ^~~~~~~~~~~~~~~~~
  hint: Write convert_float2( ) to keep the value
k.cl:3:14: error: a double and an int are not of one size
      out[1] = as_int(1.0);
               ^~~~~~~~~~~
  hint: Write convert_int( ) to keep the value
k.cl:4:26: error: 'convert_int' takes 1 component, this is a float2
      out[2] = convert_int((float2)(1, 2));
                           ^~~~~~~~~~~~~~
k.cl:5:14: error: there is no function 'convert_integer'
      out[3] = convert_integer(1.0f);
               ^~~~~~~~~~~~~~~
  hint: Define it before this line; OpenCL C's own are listed in its specification
)"},
        {R"(struct pair { int a; } p;
kernel void f(global int* out) {
    out[0] = p + 1;
}
)",
         R"(k.cl:1:24: warning: 'p' outside of functions is global: OpenCL C 1.2 wants constant
  struct pair { int a; } p;
                         ^
  hint: Write constant or global before its type
k.cl:3:14: error: '+' of a struct pair
      out[0] = p + 1;
               ^~~~~
)"},
        {R"(kernel void f(global int* out) {
    switch (1.5f) { case 1: break; }
    switch (out[0]) { case 1.0: out[1] = 1; }
}
)",
         R"(k.cl:2:13: error: a switch needs an integer, this is a float
      switch (1.5f) { case 1: break; }
              ^~~~
k.cl:3:28: error: a case needs a constant integer
      switch (out[0]) { case 1.0: out[1] = 1; }
                             ^~~
)"},
        {R"(kernel void f(global int* out) {
	const float pi = 3.14f;
	out[0] = pi % 2;	// a tab before
}
)",
         R"(k.cl:3:11: error: '%' of a float
  	out[0] = pi % 2;	// a tab before
  	         ^~~~~~
  hint: Write fmod(a, b)
)"},
        {R"(constant int table[2] = {1, 2};
kernel void f(global int* out) {
    table[0] = out[0];
}
)",
         R"(k.cl:3:5: error: this is const and cannot be assigned to
      table[0] = out[0];
      ^~~~~~~~
  hint: Constant memory can only be read
)"},
        {R"(kernel void f(global int* out) {
    int p = &out[0];
    int* q = &out[0];
    local int* r = (local int*)out;
}
)",
         R"(k.cl:2:13: error: cannot initialise a global int* where an int is needed
      int p = &out[0];
              ^~~~~~~
k.cl:3:14: warning: a pointer that names no memory points to global memory here
      int* q = &out[0];
               ^~~~~~~
  hint: OpenCL C 1.2 wants global before its type
k.cl:4:20: error: a global int* cannot become a local int*
      local int* r = (local int*)out;
                     ^~~~~~~~~~~~~~~
  hint: It points to global memory: write global before the type in the cast
)"},
        {R"(kernel void f(global int* out) {
    out[0] = vload4(0, out);
    vstore2(out[0], 0, out);
    out[1] = vload5(0, out);
}
)",
         R"(k.cl:2:14: error: cannot assign an int4 where an int is needed
      out[0] = vload4(0, out);
               ^~~~~~~~~~~~~~
k.cl:3:13: error: 'vstore2' takes an int2 first, this is an int
      vstore2(out[0], 0, out);
              ^~~~~~
k.cl:4:14: error: there is no function 'vload5'
      out[1] = vload5(0, out);
               ^~~~~~
  hint: Is 'vload2' meant?
)"},
    };
    check(kAll);
}
// clang-format on

}  // namespace

// Kernels that use what is left out here.
namespace {

// clang-format off
TEST(DiagnosticsGolden, Unsupported) {
    static constexpr Wrong kAll[] = {
        {R"(kernel void f(global int* out) {
again:
    out[0] = 1;
    goto again;
}
)",
         R"(k.cl:2:1: error: labels are not supported here
  again:
  ^~~~~
  hint: Use loops, break, continue and return
k.cl:4:5: error: 'goto' is not supported here
      goto again;
      ^~~~
  hint: Use loops, break, continue and return
)"},
        {R"(kernel void f(global int* out) {
    out[0] = ({ if (out[1]) return; 1; });
}
)",
         R"(k.cl:2:29: error: 'return' in the midst of an expression is not supported here
      out[0] = ({ if (out[1]) return; 1; });
                              ^~~~~~
  hint: Write a function in place of ({ … })
)"},
        {R"(kernel void f(image2d_t im, global int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:15: error: 'image2d_t' is not supported here
  kernel void f(image2d_t im, global int* out) {
                ^~~~~~~~~
  hint: Images are left out: use a buffer
)"},
        {R"(int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
kernel void f(global int* out) {
    out[0] = fact(5);
}
)",
         R"(k.cl:1:42: error: 'fact' calls itself
  int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
                                           ^~~~~~~~~~~
  hint: OpenCL C has no recursion: write a loop
)"},
        {R"(int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
kernel void f(global int* out) {
    out[0] = even(5);
}
)",
         R"(k.cl:3:38: error: 'even' calls itself
  int odd(int n) { return n == 0 ? 0 : even(n - 1); }
                                       ^~~~~~~~~~~
  hint: OpenCL C has no recursion: write a loop
)"},
        {R"(int apply(int (*op)(int), int x) { return op(x); }
kernel void f(global int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:16: error: pointers to functions are not supported here
  int apply(int (*op)(int), int x) { return op(x); }
                 ^
  hint: Call functions by their names
)"},
        {R"(kernel void f(global int* out) {
    int (*op)(int) = 0;
    out[0] = op(1);
}
)",
         R"(k.cl:2:10: error: pointers to functions are not supported here
      int (*op)(int) = 0;
           ^
  hint: Call functions by their names
)"},
        {R"(struct flags { uint a : 3; uint b : 5; };
kernel void f(global int* out) {
    struct flags x;
    out[0] = 1;
}
)",
         R"(k.cl:1:23: error: bit-fields are not supported here
  struct flags { uint a : 3; uint b : 5; };
                        ^
  hint: Use masks and shifts
)"},
        {R"(kernel void f(global int* out) {
    out[0] = __builtin_popcount(out[1]);
}
)",
         R"(k.cl:2:14: error: '__builtin_popcount' is not supported here: it belongs to one compiler
      out[0] = __builtin_popcount(out[1]);
               ^~~~~~~~~~~~~~~~~~
  hint: Use OpenCL C's own: popcount, clz, fma, …
)"},
        {R"(template <typename T> T add(T a, T b) { return a + b; }
kernel void f(global int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:1: error: 'template' is no type
  template <typename T> T add(T a, T b) { return a + b; }
  ^~~~~~~~
  hint: Types are int, float4, size_t and the like, or a typedef before this line
)"},
        {R"(kernel void f(global int* out) {
    long long x = 1ll;
    out[0] = 0x1g;
    out[1] = 1.0ff;
    out[2] = 'ab';
    out[3] = "text";
}
)",
         R"(k.cl:2:15: error: 'long long' is no type of OpenCL C
      long long x = 1ll;
                ^
  hint: Write long
k.cl:3:14: error: '0x1g' is no number
      out[0] = 0x1g;
               ^~~~
  hint: Suffixes are u, l, ul, and f after a decimal point
k.cl:4:14: error: '1.0ff' is no number
      out[1] = 1.0ff;
               ^~~~~
  hint: The suffix of a float is f
k.cl:5:14: error: 'ab' is no character
      out[2] = 'ab';
               ^~~~
  hint: Write one character between quotes
k.cl:6:14: error: cannot assign a constant const char* where an int is needed
      out[3] = "text";
               ^~~~~~
)"},
        {R"(kernel void f(global int* out) {
    int x = 09;
    out[0] = x + 1f + 0x + 99999999999999999999;
}
)",
         R"(k.cl:2:13: error: '09' is no number
      int x = 09;
              ^~
  hint: What begins with 0 is octal: its digits are 0 to 7
k.cl:3:18: error: '1f' is no number
      out[0] = x + 1f + 0x + 99999999999999999999;
                   ^~
  hint: Suffixes are u, l, ul, and f after a decimal point
)"},
        {R"(int sum(int n, ...) { return n; }
kernel void f(global int* out) {
    struct pair p;
    out[0] = sum(1, 2) + p.x;
}
)",
         R"(k.cl:1:16: error: functions with any number of arguments are not supported
  int sum(int n, ...) { return n; }
                 ^~~
k.cl:3:17: error: the members of 'struct pair' are not known here
      struct pair p;
                  ^
  hint: Give its members before this line
)"},
        {R"(int sum(int n, ...) { return n; }
kernel void f(global int* out) { out[0] = sum(1, 2); }
)",
         R"(k.cl:1:16: error: functions with any number of arguments are not supported
  int sum(int n, ...) { return n; }
                 ^~~
)"},
        {R"(kernel void f(global int* out) {
    out[0] = work_group_reduce_gcd(out[0]);
    out[1] = sub_group_clustered_reduce_add(1, 4);
}
)",
         R"(k.cl:2:14: error: 'work_group_reduce_gcd' is not supported here: it is none of the work-group functions here
      out[0] = work_group_reduce_gcd(out[0]);
               ^~~~~~~~~~~~~~~~~~~~~
  hint: There are reduce, scan, broadcast, any and all
k.cl:3:14: error: 'sub_group_clustered_reduce_add' is not supported here: it is none of the sub-group functions here
      out[1] = sub_group_clustered_reduce_add(1, 4);
               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint: There are reduce, scan, broadcast, any, all, shuffle and ballot
)"},
        {R"(typedef struct { int a; } P;
P made(int x) { P p = {x}; return p; }
kernel void f(global P* out, int n) {
    P t = {2};
    out[0] = n ? made(1) : t;
}
)",
         R"(k.cl:5:14: error: '?' between these structures is not supported here
      out[0] = n ? made(1) : t;
               ^~~~~~~~~~~~~~~
  hint: Write if and else
)"},
        {R"(kernel void f(global int* out) {
    out[0] = read_imagei(out, 0);
    enqueue_kernel(0);
    asm("nop");
}
)",
         R"(k.cl:2:14: error: 'read_imagei' is not supported here: images are left out
      out[0] = read_imagei(out, 0);
               ^~~~~~~~~~~
  hint: Use a buffer
k.cl:3:5: error: 'enqueue_kernel' is not supported here: kernels here start no kernels
      enqueue_kernel(0);
      ^~~~~~~~~~~~~~
  hint: Let the host launch them
k.cl:4:5: error: inline assembly is not supported here
      asm("nop");
      ^~~
  hint: It is for one kind of device only
)"},
        {R"(kernel void f(pipe int in, global int* out) {
    out[0] = 1;
}
)",
         R"(k.cl:1:15: error: 'pipe' is not supported here
  kernel void f(pipe int in, global int* out) {
                ^~~~
  hint: Reductions get by with buffers of numbers
)"},
    };
    check(kAll);
}
// clang-format on

// What some compilers take, and Clang does not.
TEST(Diagnostics, WhatOpenClCForbids) {
    static constexpr Wrong kAll[] = {
        {"int2 v = 1; v = v + 1.5f;", "a float does not fit the components of an int2"},
        {"int2 v = 1; v = v + 1.5f;", "hint: Write (int)"},
        {"int2 v = 1; v += 1L;", "a long does not fit the components of an int2"},
        {"int2 v = 1; v = v + 1u;", "a uint does not fit the components of an int2"},
        {"uchar4 v = 1; v = v + 300;", "an int does not fit the components of a uchar4"},
        {"float4 v = 1; v = v * 2.0;", "a double does not fit the components of a float4"},
        {"char2 v = 1; v = v || 1;", "an int does not fit the components of a char2"},
        {"barrier(CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE);", "'barrier' takes 1 argument"},
        {"out[0] = sizeof(void);", "'void' has no size"},
        {"out[0] = convert_float_sat(1);", "there is no function 'convert_float_sat'"},
        {"out[0] = convert_bool(1);", "there is no function 'convert_bool'"},
        {"out[0] = convert_size_t(1);", "there is no function 'convert_size_t'"},
        {"out[0] = as_bool((char)1);", "there is no function 'as_bool'"},
        {"register int x = 1;", "OpenCL C has no 'register'"},
        {"auto int x = 1;", "OpenCL C has no 'auto'"},
        {"restrict int x = 1;", "'restrict' is for pointers"},
        {"extern int x;", "a variable of a function cannot be extern here"},
        {"struct S { local int x; } s;", "a member cannot lie in local memory"},
        {"out[0] = out[1] ?: 2;", "hint: Write x ? x : y"},
        {"switch (out[0]) { case 1 ... 3: out[1] = 1; }", "a range of cases is left out"},
        {"_Static_assert(sizeof(int) == 8, \"no\");", "this static_assert does not hold"},
        {"const int n = out[0]; int t[n];", "the length of an array must be a constant integer"},
        {"int x; } static kernel void g(global int* o) {", "a kernel cannot be static"},
        {"int x; } kernel void g(size_t n) {", "cannot be or hold a size_t here"},
        {"int x; } kernel void g(event_t e) {", "cannot be or hold an event_t here"},
        {"int x; } struct S { bool b; }; kernel void g(struct S s) {",
         "cannot be or hold a bool here"},
        {"int x; } global int a; global int* global p = &a; void g(void) { p = 0;",
         "'p' stands for the address that it is given"},
        {"int x; } struct S; void g(global struct S* s) { s[0];",
         "the members of 'struct S' are not known here"},
        {"int x; } struct S; struct S g(void) {", "the members of 'struct S' are not known here"},
    };
    for (const Wrong& each : kAll)
        EXPECT_THAT(said_of(fmt::format("kernel void k(global int* out) {{ {} }}\n", each.text)),
                    testing::HasSubstr(each.says))
            << each.text;
    // Where it says nothing of the sort, they are right.
    for (const char* text :
         {"char2 v = 1; v = v + (char)1; v++; ++v; v = !v; v = v && v; v = v << 1; v = 300;",
          "float2 v = 1; v = v * 2; v += 1L; ulong2 w = 1; w = w + sizeof(int);",
          "global int* restrict p = out; p[0] = 1;",
          "const int n = 4; _Static_assert(n == 4, \"four\");",
          "static constant int n = 4; out[0] = n;",
          "struct S; struct S* a = 0; struct S* b = a; out[0] = a == b;"})
        EXPECT_TRUE(
            compile({"k.cl", fmt::format("kernel void k(global int* out) {{ {} }}", text), ""})
                .code)
            << text;
}

// A device reads as many bytes as the format says.
TEST(Diagnostics, PrintfSaysWhichLengthItReads) {
    const auto said = [](const char* given) {
        const Compiled compiled = compile(
            {"k.cl",
             fmt::format(
                 "kernel void k(global int* o, long l, float4 f, int4 i, short4 s, char c)\n"
                 "{{ printf({}); }}",
                 given),
             ""});
        EXPECT_TRUE(compiled.code) << given;
        for (const Diagnostic& each : compiled.diagnostics.all())
            expect_translated(each.message);
        return text_of(compiled.diagnostics, compiled.sources);
    };
    static constexpr Wrong kAll[] = {
        {"\"%d\", l", "printf's '%d' does not print a long"},
        {"\"%u\", get_global_id(0)", "hint: Write %lu"},
        {"\"%ld\", o[0]", "printf's '%ld' does not print an int"},
        {"\"%lld\", l", "hint: Write %ld"},
        {"\"%v4d\", s", "hint: Write %v4hd"},
        {"\"%v4ld\", i", "printf's '%v4ld' does not print an int4"},
        {"\"%v4lf\", f", "hint: Write %v4hlf"},
    };
    for (const Wrong& each : kAll)
        EXPECT_THAT(said(each.text), testing::HasSubstr(each.says)) << each.text;
    for (const char* text : {"\"%ld %d %hhd %hd %c %x\", l, o[0], c, o[0], c, c",
                             "\"%v4f %v4hlf %v4d %v4hld %v4hd\", f, f, i, i, s"})
        EXPECT_EQ(said(text), "") << text;
    EXPECT_THAT(said_of("kernel void k(int i) { printf(\"%hhhd\", i); }"),
                testing::HasSubstr("'%hhhd' is no conversion of printf"));
}

}  // namespace
}  // namespace lab::lang
