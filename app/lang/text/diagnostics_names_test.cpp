// Wrong kernels: names, calls, cases and the kernels themselves.
#include "support/wrong_kernels.h"

namespace lab::lang {
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
         R"(k.cl:2:10: error: 'x' is no type
      auto x = 1;
           ^
  hint: Types are int, float4, size_t and the like, or a typedef before this line
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
         R"(k.cl:2:12: error: 'struct pair' is not declared
      struct pair p;
             ^~~~
  hint: Declare it before this line
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
         R"(k.cl:2:5: error: 'barrier' takes 1 or 2 arguments, but 0 are given
      barrier();
      ^~~~~~~~~
k.cl:3:15: error: 'mem_fence' needs its flags as constants
      mem_fence(out[0]);
                ^~~~~~
  hint: Write CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both with | between
k.cl:4:5: error: 'barrier' takes 1 or 2 arguments, but 3 are given
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
         R"(k.cl:1:20: error: a kernel's argument cannot be a bool
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
}  // namespace lab::lang
