// Kernels that call in a wrong way what is more than arithmetic: half, copies, printf, geometry.
#include "support/wrong_kernels.h"

namespace lab::lang {
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
    out[0] = length(1) + length((int2)(1, 2));
    out[1] = cross((float2)(1), (float2)(2)).x;
}
)",
         R"(k.cl:1:30: error: an alignment is a power of two, 4096 at most
  struct __attribute__((aligned(3))) s { int a; };
                               ^
k.cl:3:17: error: the text does not fit a char[2]
      char t[2] = "long";
                  ^~~~~~
k.cl:4:33: error: 'length' takes vectors of up to four floating-point numbers, this is an int2
      out[0] = length(1) + length((int2)(1, 2));
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
}  // namespace lab::lang
