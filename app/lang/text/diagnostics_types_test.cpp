// Wrong kernels: types that do not fit.
#include "support/wrong_kernels.h"

namespace lab::lang {
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
    switch (out[0]) case 1: out[1] = 1;
    out[2] = 1;
}
)",
         R"(k.cl:2:13: error: a switch needs an integer, this is a float
      switch (1.5f) { case 1: break; }
              ^~~~
k.cl:3:21: error: expected '{' after the head of 'switch', found 'case'
      switch (out[0]) case 1: out[1] = 1;
                      ^~~~
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
}  // namespace lab::lang
