// Kernels that use what is left out here.
#include "support/wrong_kernels.h"

namespace lab::lang {
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
         R"(k.cl:1:16: error: pointers to arrays and functions are not supported here
  int apply(int (*op)(int), int x) { return op(x); }
                 ^
  hint: Call functions by their names; point to an array's elements
)"},
        {R"(kernel void f(global int* out) {
    int (*op)(int) = 0;
    out[0] = op(1);
}
)",
         R"(k.cl:2:10: error: pointers to arrays and functions are not supported here
      int (*op)(int) = 0;
           ^
  hint: Call functions by their names; point to an array's elements
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
k.cl:3:12: error: 'struct pair' is not declared
      struct pair p;
             ^~~~
  hint: Declare it before this line
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

}  // namespace
}  // namespace lab::lang
