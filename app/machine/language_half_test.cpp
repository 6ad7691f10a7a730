// Arithmetic of halves (cl_khr_fp16): each operation gives the nearest half.
#include "support/example_job.h"
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

TEST(LanguageHalf, IsRoundedAfterEachOperation) {
    static constexpr Program kAll[] = {
        {"kernel void f(global int* out) { half a = 1.5h, b = (half)0.1f; half c = a + b;\n"
         " out[0] = as_ushort(c); out[1] = as_ushort((half)1 / 3); out[2] = "
         "as_ushort(sqrt((half)2));\n"
         " out[3] = as_ushort((half)65504 + (half)16); out[4] = as_ushort(-a); }",
         "15974 13653 15784 31744 48640"},
        {"kernel void f(global int* out) { half i = 2048; i += 1; out[0] = (int)i; i -= 1;\n"
         " out[1] = (int)i; half p = 1; out[2] = (int)(p++) * 10; out[3] = (int)(++p);\n"
         " --p; p--; out[4] = (int)p; p *= 2.5f; out[5] = (int)(p * 4); int n = 7; n += p;\n"
         " out[6] = n; }",
         "2048 2047 10 3 1 10 9"},
        {"kernel void f(global int* out) { half a = 1.5h, b = -0.0h; out[0] = a > b; out[1] = b == "
         "0;\n"
         " out[2] = b != 0 ? 1 : 2; out[3] = !b; out[4] = (bool)b; out[5] = a < 1.25f; }",
         "1 1 2 1 0 0"},
        {"kernel void f(global int* out) { out[0] = (int)(half)2049; out[1] = "
         "convert_half_rtp(2049);\n"
         " out[2] = (int)as_half((ushort)0x4200); out[3] = sizeof(half4); out[4] = HALF_MAX == "
         "65504;\n"
         " out[5] = 1.0h + 0.25f == 1.25f; out[6] = (int)(1e5 * (half)0.5h); }",
         "2048 2050 3 8 1 1 50000"},
        {"kernel void f(global int* out) { half4 v = (half4)(1, 2, 3, 4) * 2; v.y += 0.5h;\n"
         " out[0] = (int)(v.x + v.w); out[1] = (int)(dot(v, v)); short2 m = v.xy > (half2)(2, 2);\n"
         " out[2] = m.x + 10 * m.y; float4 w = convert_float4(v); out[3] = (int)(w.y * 2);\n"
         " out[4] = (int)max(v.x, v.z); out[5] = (int)clamp(v.w, 0.0h, 5.0h);\n"
         " out[6] = (int)fma(v.x, v.z, 1.0h); out[7] = isnan(v.x); }",
         "10 124 -10 9 6 5 13 0"},
        {"half twice(half x) { return x * 2; }\nconstant half kTable[2] = {0.5h, 1.5h};\n"
         "kernel void f(global int* out) { global half* h = (global half*)(out + 4); local half "
         "l[1];\n"
         " h[0] = kTable[1]; h[1] = twice(h[0]); l[0] = h[1] + h[0]; out[0] = (int)(l[0] * 2);\n"
         " out[1] = (int)vload_half(1, h); half own[2] = {1, 2}; half* p = own; p[1] += 3;\n"
         " out[2] = (int)own[1]; out[3] = (int)vload2(0, h).y; h[0] = h[1] = 0; }",
         "9 3 5 3 0"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(LanguageHalf, IsPrinted) {
    const auto run = play(job_of({"kernel void f(global int* out) { half2 v = (half2)(1.5h, 2);\n"
                                  " printf(\"%.2f %v2f\", v.x, v); out[0] = 1; }",
                                  1,
                                  1,
                                  {{0}}},
                                 1),
                          order_of(Order::Kind::in_order));
    ASSERT_FALSE(run.fault());
    ASSERT_EQ(run.prints().size(), 1U);
    EXPECT_EQ(run.prints()[0].text, "1.50 1.500000,2.000000");
}

}  // namespace
}  // namespace lab::machine
