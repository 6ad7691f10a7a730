// Wrong kernels: what the parser says, and what address spaces forbid.
#include "support/wrong_kernels.h"

namespace lab::lang {
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
}  // namespace lab::lang
