// Wrong kernels: macros and directives.
#include "support/wrong_kernels.h"

namespace lab::lang {
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
}  // namespace lab::lang
