// What OpenCL C says, run: each small kernel's results are worked out by the specification.
// Floats, vectors, arrays and structures.
#include <gmock/gmock.h>

#include "support/example_job.h"
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

TEST(Language, Floats) {
    static constexpr Value kValues[] = {
        {"float", "1.0f / 0.0f", "inf"},
        {"float", "-1.0f / 0.0f", "-inf"},
        {"float", "0.0f / 0.0f", "nan"},
        {"float", "-(0.0f)", "-0"},
        {"float", "0.0f - 0.0f", "0"},
        {"float", "0.1f + 0.2f", "0.3"},
        {"double", "0.1 + 0.2", "0.30000000000000004"},
        {"double", "0.1f + 0.2", "0.30000000149011613"},
        {"float", "16777216.0f + 1.0f", "16777216"},
        {"float", "1 / 2 * 2.0f", "0"},
        {"float", "1 / 2.0f", "0.5"},
        {"float", "1.5e3f + .5f + 2.f", "1502.5"},
        {"float", "0x1.8p1f", "3"},
        {"float", "1.17549435e-38f / 2", "5.877472e-39"},  // no flush to zero
        {"int", "0.1f == 0.1", "0"},                       // in double
        {"int", "0.5f == 0.5", "1"},
        {"int", "NAN == NAN", "0"},
        {"int", "NAN != NAN", "1"},
        {"int", "!(NAN < 1.0f) + (NAN >= 1.0f)", "1"},
        {"int", "-0.0f == 0.0f", "1"},
        {"int", "NAN != 0 ? 1 : 2", "1"},
        {"int", "-0.0f != 0 ? 1 : 2", "2"},
        {"float", "0x1.000002p0f * 0x1.000002p0f - 0x1.000004p0f", "0"},  // not contracted
        {"float", "fma(0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f)", "1.4210855e-14"},
        {"float", "fmin(NAN, 1.0f)", "1"},
        {"float", "fmax(1.0f, NAN)", "1"},
        {"float", "fmin(NAN, NAN)", "nan"},
        {"float", "min(1.0f, -2.0f)", "-2"},
        {"float", "max(1.0f, -2.0f)", "1"},
        {"float", "clamp(2.5f, 0.0f, 1.0f)", "1"},
        {"float", "fmod(-7.0f, 3.0f)", "-1"},
        {"float", "remainder(7.0f, 4.0f)", "-1"},
        {"float", "rint(2.5f)", "2"},
        {"float", "rint(3.5f)", "4"},
        {"float", "round(2.5f)", "3"},
        {"float", "round(-2.5f)", "-3"},
        {"float", "trunc(-2.7f)", "-2"},
        {"float", "floor(-2.1f)", "-3"},
        {"float", "ceil(-2.9f)", "-2"},
        {"float", "ceil(-0.5f)", "-0"},
        {"float", "copysign(3.0f, -0.0f)", "-3"},
        {"float", "fabs(-3.5f)", "3.5"},
        {"float", "fdim(3.0f, 5.0f)", "0"},
        {"float", "fdim(5.0f, 3.0f)", "2"},
        {"float", "mad(2.0f, 3.0f, 4.0f)", "10"},
        {"float", "ldexp(3.0f, 2)", "12"},
        {"int", "ilogb(8.0f)", "3"},
        {"float", "logb(0.25f)", "-2"},
        {"float", "nextafter(1.0f, 2.0f)", "1.0000001"},
        {"float", "pown(2.0f, -2)", "0.25"},
        {"float", "pow(2.0f, 10.0f)", "1024"},
        {"float", "sqrt(2.25f)", "1.5"},
        {"float", "rsqrt(4.0f)", "0.5"},
        {"float", "cbrt(27.0f)", "3"},
        {"float", "exp2(3.0f)", "8"},
        {"float", "log2(8.0f)", "3"},
        {"float", "hypot(3.0f, 4.0f)", "5"},
        {"float", "sign(-3.0f)", "-1"},
        {"float", "sign(NAN)", "0"},
        {"float", "step(2.0f, 1.0f) + step(1.0f, 1.0f)", "1"},
        {"float", "smoothstep(0.0f, 2.0f, 1.0f)", "0.5"},
        {"float", "mix(1.0f, 3.0f, 0.25f)", "1.5"},
        {"float", "maxmag(-3.0f, 2.0f)", "-3"},
        {"float", "minmag(-3.0f, 2.0f)", "2"},
        {"float", "sinpi(0.5f)", "1"},
        {"float", "sinpi(1.0f)", "0"},
        {"float", "cospi(1.0f)", "-1"},
        {"float", "cospi(0.5f)", "0"},
        {"float", "native_recip(4.0f) + half_divide(1.0f, 4.0f)", "0.5"},
        {"float", "bitselect(1.0f, -1.0f, as_float(0x80000000))", "-1"},
        {"float", "select(1.0f, 2.0f, 1)", "2"},
        {"float", "nan(0u)", "nan"},
        {"double", "fmax(1.0, 2)", "2"},
        {"int", "isless(1.0f, NAN) + isunordered(NAN, 1.0f)", "1"},
        {"int", "isnan(NAN) + isinf(-INFINITY) + isfinite(1.0f)", "3"},
        {"int", "isnormal(1e-40f) + signbit(-0.0f)", "1"},
        {"int", "isequal(1.0, 1.0) + islessgreater(1.0f, 2.0f)", "2"},
        {"int", "convert_int(INT_MAX * 1.0)", "2147483647"},
        {"int", "FLT_MAX > 3e38f && FLT_MIN < 2e-38f && DBL_MAX > 1e308", "1"},
    };
    expect(kValues);
}

// OpenCL C 1.2, section 7.5.1, and Annex F of C99.
TEST(Language, FunctionsAtInfinitiesAndZeros) {
    static constexpr Doing kAll[] = {
        {"float", "out[0] = modf(INFINITY, out + 1); out[2] = modf(-INFINITY, out + 3);",
         "0 inf -0 -inf"},
        {"float", "out[0] = modf(NAN, out + 1); out[2] = modf(-0.0f, out + 3);", "nan nan -0 -0"},
        {"float", "out[0] = modf(-2.5f, out + 1); out[2] = modf(-2.0f, out + 3);", "-0.5 -2 -0 -2"},
        {"float", "out[0] = fract(INFINITY, out + 1); out[2] = fract(-INFINITY, out + 3);",
         "0 inf -0 -inf"},
        {"float", "out[0] = fract(NAN, out + 1); out[2] = fract(-0.0f, out + 3);", "nan nan -0 -0"},
        {"float", "out[0] = fract(-1.0f, out + 1); out[2] = fract(-0.25f, out + 3);",
         "0 -1 0.75 -1"},
        {"float", "out[0] = fract(-1e-30f, out + 1) == 0x1.fffffep-1f;", "1 -1"},
        {"double", "out[0] = modf((double)INFINITY, out + 1); out[2] = fract(-0.0, out + 3);",
         "0 inf -0 -0"},
        {"float",
         "float2 whole; vstore2(modf((float2)(-INFINITY, 1.5f), &whole), 0, out);"
         "vstore2(whole, 1, out);",
         "-0 0.5 -inf 1"},
        {"float",
         "float2 whole; vstore2(fract((float2)(NAN, -INFINITY), &whole), 0, out);"
         "vstore2(whole, 1, out);",
         "nan -0 nan -inf"},
        {"float", "int e = 7; out[0] = frexp(-INFINITY, &e); out[1] = e;", "-inf 0"},
        {"float", "int e = 7; out[0] = frexp(NAN, &e); out[1] = e;", "nan 0"},
        {"float", "int q = 7; out[0] = remquo(INFINITY, 2.0f, &q); out[1] = q;", "nan 0"},
        {"float", "int q = 7; out[0] = remquo(1.0f, 0.0f, &q); out[1] = q;", "nan 0"},
        {"float", "int q = 7; out[0] = remquo(1.0f, NAN, &q); out[1] = q;", "nan 0"},
        {"float", "int q = 7; out[0] = remquo(-0.0f, 2.0f, &q); out[1] = q;", "-0 0"},
        {"float", "int s = 7; out[0] = lgamma_r(-2.0f, &s); out[1] = s;", "inf 0"},
        {"float", "out[0] = rootn(-0.0f, 3); out[1] = rootn(-0.0f, -3);", "-0 -inf"},
        {"float", "out[0] = rootn(-0.0f, 2); out[1] = rootn(-0.0f, -2);", "0 inf"},
        {"float", "out[0] = rootn(0.5f, 0); out[1] = rootn(-8.0f, 2);", "nan nan"},
        {"float", "out[0] = rootn(-INFINITY, 2); out[1] = rootn(-INFINITY, 3);", "nan -inf"},
        {"float", "out[0] = pown(-0.0f, -3); out[1] = pown(NAN, 0);", "-inf 1"},
        {"float", "out[0] = pown(-1.0f, 16777217); out[1] = pown(-INFINITY, -2);", "-1 0"},
        {"float", "out[0] = powr(0.0f, 0.0f); out[1] = powr(INFINITY, -0.0f);", "nan nan"},
        {"float", "out[0] = powr(1.0f, INFINITY); out[1] = powr(2.0f, NAN);", "nan nan"},
        {"float", "out[0] = powr(-1.0f, 2.0f); out[1] = powr(NAN, 0.0f);", "nan nan"},
        {"float", "out[0] = powr(-0.0f, -1.0f); out[1] = powr(-0.0f, 3.0f);", "inf 0"},
        {"float", "out[0] = powr(2.0f, 3.0f); out[1] = half_powr(4.0f, 0.5f);", "8 2"},
        {"float", "out[0] = pow(1.0f, NAN); out[1] = pow(NAN, 0.0f);", "1 1"},
        {"float", "out[0] = sinpi(-1.0f); out[1] = sinpi(3.0f); out[2] = sinpi(-0.0f);", "-0 0 -0"},
        {"float", "out[0] = sinpi(INFINITY); out[1] = cospi(-INFINITY); out[2] = cospi(1.5f);",
         "nan nan 0"},
        {"float", "out[0] = tanpi(-2.0f); out[1] = tanpi(1.0f); out[2] = tanpi(-1.0f);", "-0 -0 0"},
        {"float", "out[0] = tanpi(0.5f); out[1] = tanpi(1.5f); out[2] = tanpi(-0.5f);",
         "inf -inf -inf"},
        {"float", "out[0] = atan2pi(0.0f, -0.0f); out[1] = atan2pi(-1.0f, 0.0f);", "1 -0.5"},
        {"float", "out[0] = atan2pi(INFINITY, -INFINITY); out[1] = atan2pi(-INFINITY, INFINITY);",
         "0.75 -0.25"},
        {"float", "out[0] = atanpi(-INFINITY); out[1] = acospi(1.0f); out[2] = asinpi(-0.0f);",
         "-0.5 0 -0"},
        {"float", "out[0] = fdim(NAN, 1.0f); out[1] = fdim(INFINITY, INFINITY);", "nan 0"},
        {"float", "out[0] = fmod(-0.0f, 2.0f); out[1] = fmod(1.0f, INFINITY);", "-0 1"},
        {"float", "out[0] = fmod(INFINITY, 2.0f); out[1] = remainder(1.0f, 0.0f);", "nan nan"},
        {"float", "out[0] = maxmag(NAN, 1.0f); out[1] = minmag(-1.0f, NAN);", "1 -1"},
        {"float", "out[0] = maxmag(-INFINITY, 1.0f); out[1] = minmag(-2.0f, 2.0f);", "-inf -2"},
        {"float",
         "out[0] = nextafter(-0.0f, 1.0f) == 0x1p-149f; out[1] = nextafter(INFINITY, 0.0f) "
         "== FLT_MAX; out[2] = nextafter(NAN, 1.0f);",
         "1 1 nan"},
        {"float", "out[0] = logb(0.0f); out[1] = logb(-INFINITY); out[2] = ldexp(-0.0f, 9);",
         "-inf inf -0"},
        {"int",
         "out[0] = ilogb(0.0f) == FP_ILOGB0; out[1] = ilogb(NAN) == FP_ILOGBNAN; "
         "out[2] = ilogb(-INFINITY) == INT_MAX;",
         "1 1 1"},
        {"float", "out[0] = rint(-0.4f); out[1] = round(-0.4f); out[2] = trunc(-0.4f);",
         "-0 -0 -0"},
        {"float", "out[0] = sign(-0.0f); out[1] = sign(-INFINITY); out[2] = step(1.0f, NAN);",
         "-0 -1 1"},
        {"float", "out[0] = half_rsqrt(0.0f); out[1] = native_recip(-0.0f); out[2] = rsqrt(-0.0f);",
         "inf -inf -inf"},
        {"float", "out[0] = exp10(-INFINITY); out[1] = hypot(INFINITY, NAN); out[2] = cbrt(-0.0f);",
         "0 inf -0"},
        {"float", "out[0] = normalize(0.0f); out[1] = length((float2)(NAN, 1.0f));", "0 nan"},
    };
    expect(kAll);
}

TEST(Language, Vectors) {
    static constexpr Doing kAll[] = {
        {"int", "int4 v = (int4)(1, 2, 3, 4); v.xy = v.yx; vstore4(v, 0, out);", "2 1 3 4"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); v = v.wzyx; vstore4(v, 0, out);", "4 3 2 1"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); v.hi += 10; v.s0 = 9; vstore4(v, 0, out);",
         "9 2 13 14"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); v.even = v.odd; vstore4(v, 0, out);", "2 2 4 4"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); v.xyz = v.yzx; vstore4(v, 0, out);", "2 3 1 4"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); v.zw.x = 7; vstore4(v, 0, out);", "1 2 7 4"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); v.x += v.y *= 3; vstore4(v, 0, out);", "7 6 3 4"},
        {"int", "int4 v = (int4)(1, 2, 3, 4); vstore4(v.xxyy, 0, out);", "1 1 2 2"},
        {"int",
         "int8 v = (int8)(0, 1, 2, 3, 4, 5, 6, 7); vstore2(v.lo.hi, 0, out);"
         "vstore2(v.odd.even, 1, out); vstore2(v.s70, 2, out); out[6] = v.S5;",
         "2 3 1 5 7 0 5"},
        {"int", "int16 v = (int16)(3); v.sF = 1; v.sa = 2; vstore4(v.sabef, 0, out);", "2 3 3 1"},
        {"int", "int3 v = (int3)(1, 2, 3); vstore3(v.zyx, 0, out); out[3] = sizeof v;", "3 2 1 16"},
        {"int", "int4 v = (int4)((int2)(1, 2), 3, 4); vstore4(v, 0, out);", "1 2 3 4"},
        {"int", "int4 v = 5; vstore4(v, 0, out);", "5 5 5 5"},
        {"int", "int4 v = {1, 2, 3, 4}; vstore4(v * 2 - 1, 0, out);", "1 3 5 7"},
        {"float", "float2 v = (float2)(1, 2.5f); vstore2(v / 2, 0, out);", "0.5 1.25"},
        {"int", "vstore4((int4)(1, 5, 3, 2) > 2, 0, out);", "0 -1 -1 0"},
        {"int", "vstore2((float2)(NAN, 1.0f) != (float2)(NAN, 1.0f), 0, out);", "-1 0"},
        {"char", "vstore2((uchar2)(1, 200) > (uchar2)(100), 0, out);", "0 -1"},
        {"long", "vstore2((double2)(1, 2) <= (double2)(1, 1), 0, out);", "-1 0"},
        {"int", "vstore2(isnan((float2)(NAN, 1.0f)), 0, out);", "-1 0"},
        {"int", "vstore2(!(int2)(0, 5), 0, out);", "-1 0"},
        {"int", "vstore2((int2)(1, 0) && (int2)(2, 2), 0, out);", "-1 0"},
        {"int", "vstore2(1 && (int2)(5, 0), 0, out);", "-1 0"},
        {"int", "vstore2((int2)(5, 0) || 0, 0, out);", "-1 0"},
        {"int", "vstore2((int2)(5, 0) || 7, 0, out);", "-1 -1"},
        {"int", "vstore2((int2)(-1, 0) ? (int2)(1, 2) : (int2)(3, 4), 0, out);", "1 4"},
        {"int", "vstore2((int2)(1, -1) ? (int2)(1, 2) : (int2)(3, 4), 0, out);", "3 2"},
        {"int", "vstore2((int2)(-1, 0) ? 1 : 2, 0, out);", "1 2"},
        {"int", "vstore2(1 ? (int2)(1, 2) : (int2)(3, 4), 0, out);", "1 2"},
        {"int", "vstore2(select((int2)(1, 2), (int2)(3, 4), (int2)(-1, 1)), 0, out);", "3 2"},
        {"float", "vstore2(select((float2)(1), (float2)(2), (float2)(3, 0) > 1), 0, out);", "2 1"},
        {"int",
         "int2 v = (int2)(1, 2); const int2 w = v++; const int2 u = ++v; v--;"
         "vstore2(w, 0, out); vstore2(u, 1, out); vstore2(v, 2, out);",
         "1 2 3 4 2 3"},
        {"uchar", "vstore2((uchar2)(200, 100) + (uchar)100, 0, out);", "44 200"},
        {"uchar", "vstore2((uchar2)(1) << (uchar2)(9, 1), 0, out);", "2 2"},
        {"char", "vstore2((char2)(-128, 64) >> (char2)(1), 0, out);", "-64 32"},
        {"short", "vstore2(-(short2)(-32768, 1), 0, out);", "-32768 -1"},
        {"ushort", "vstore2(~(ushort2)(0, 1), 0, out);", "65535 65534"},
        {"uint", "uint2 v = (uint2)(1, 2); v <<= (uint2)(4, 33); vstore2(v, 0, out);", "16 4"},
        {"int", "int2 v = (int2)(7, 9); v %= 4; v |= (int2)(8, 16); vstore2(v, 0, out);", "11 17"},
        {"uchar", "vstore4(convert_uchar4_sat((int4)(-5, 300, 20, 255)), 0, out);", "0 255 20 255"},
        {"int", "vstore2(convert_int2_rtn((float2)(-1.5f, 1.5f)), 0, out);", "-2 1"},
        {"int", "vstore4(shuffle((int4)(5, 6, 7, 8), (uint4)(3, 2, 1, 0)), 0, out);", "8 7 6 5"},
        {"int", "vstore4(shuffle2((int2)(5, 6), (int2)(7, 8), (uint4)(2, 0, 3, 5)), 0, out);",
         "7 5 8 6"},
        {"float", "out[0] = dot((float4)(1, 2, 3, 4), (float4)(1, 0, 1, 0.5f));", "6"},
        {"int",
         "int4 a[2]; a[0] = 1; a[1] = 2; a[1].z = 5; a[0].xw += a[1].zx;"
         "vstore4(a[0], 0, out); vstore4(a[1], 1, out);",
         "6 1 1 3 2 2 5 2"},
        {"int", "for (int i = 0; i < 6; ++i) out[i] = i; vstore3(vload3(1, out), 0, out);",
         "3 4 5 3 4 5"},
        {"int",
         "for (int i = 0; i < 4; ++i) out[i] = i; const int2 v = vload2(1, out);"
         "out[0] = v.y;",
         "3 1 2 3"},
        {"int", "int2 v = (int2)(1, 2); int2* p = &v; p->y = 9; (*p).x += 4; vstore2(v, 0, out);",
         "5 9"},
        {"float", "vstore2(fmax((float2)(1, NAN), 0.5f), 0, out);", "1 0.5"},
        {"int", "vstore2(min((int2)(1, 9), 5), 0, out);", "1 5"},
        {"int", "vstore2(clamp((int2)(1, 9), 2, 5), 0, out);", "2 5"},
        {"uchar", "vstore4(as_uchar4(0x04030201), 0, out);", "1 2 3 4"},
        {"float", "vstore2(ldexp((float2)(1, 2), (int2)(1, 2)), 0, out);", "2 8"},
        {"float", "vstore2(ldexp((float2)(1, 2), 3), 0, out);", "8 16"},
    };
    expect(kAll);
}

TEST(Language, Assignments) {
    static constexpr Doing kAll[] = {
        {"int", "char c = 127; c++; out[0] = c; uchar u = 0; u--; out[1] = u;", "-128 255"},
        {"int", "short s = 32767; s += 1; out[0] = s; ushort u = 0; --u; out[1] = u;",
         "-32768 65535"},
        {"int", "uchar c = 200; c <<= 1; out[0] = c; char d = -128; d >>= 1; out[1] = d;",
         "144 -64"},
        {"int", "int i = 5; i *= 1.5f; out[0] = i; i -= 0.5f; out[1] = i;", "7 6"},
        {"int", "uchar c = 100; c = c * 2 + c; out[0] = c; c += 300; out[1] = c;", "44 88"},
        {"int", "uchar c = 200; c /= -2; out[0] = c;", "156"},
        {"int", "int x = 7; x %= 4; x ^= 1; x |= 8; x &= ~2; out[0] = x;", "8"},
        {"int", "int x, y, z; x = y = z = 4; out[0] = x + y + z;", "12"},
        {"int", "char c; int x = c = 300; out[0] = x;", "44"},  // the value that c has then
        {"int", "bool b = 5; out[0] = b; b = 0.25f; out[1] = b; b = 0; out[2] = b;", "1 1 0"},
        {"int", "bool b = 0; b += 7; out[0] = b; b++; out[1] = b;", "1 1"},
        {"float", "float f = 1.5f; f++; out[0] = f; out[1] = f--; out[2] = --f;", "2.5 2.5 0.5"},
        {"int", "int x = 1; out[0] = x++ + 10; out[1] = ++x + 10; out[2] = x-- - 1; out[3] = x;",
         "11 13 2 2"},
        {"int",
         "int a[3] = {1, 2, 3}; int i = 0; a[i++] += 2; out[0] = a[0]; out[1] = a[1];"
         "out[2] = i; a[++i] *= 5; out[3] = a[2]; out[4] = i; out[5] = a[i--]--; out[6] = a[2];",
         "3 2 1 15 2 15 14"},
        {"int", "int i = 0; out[i++] += 7; out[i++] |= 3; out[i]++;", "7 3 1"},
        {"int",
         "int a[4]; int* p = a; *p++ = 1; *p++ = 2; *++p = 4; *--p = 3; out[0] = p - a;"
         "for (int i = 0; i < 4; ++i) out[i + 1] = a[i];",
         "2 1 2 3 4"},
        {"int",
         "int a[3] = {1, 2, 3}; int* p = a + 1; out[0] = p[-1] + 1[p]; p -= 1; p += 2;"
         "out[1] = *p; out[2] = p > a; out[3] = p == &a[2];",
         "4 3 1 1"},
        {"int", "int x = 0, y = 0; out[0] = x++ && y++; out[1] = x; out[2] = y;", "0 1 0"},
        {"int", "int x = 1, y = 0; out[0] = x++ || y++; out[1] = x; out[2] = y;", "1 2 0"},
        {"int", "int x = 1, y = 1; out[0] = x-- && y--; out[1] = x; out[2] = y;", "1 0 0"},
        {"int", "int x = 0, y = 0; out[0] = 1 ? x++ : y++; out[1] = x; out[2] = y;", "0 1 0"},
        {"int", "int x = 5; int y = (x = 7, x + 1); out[0] = x; out[1] = y;", "7 8"},
        {"int", "int x = 5; x = x++ < 6 ? x + 1 : 0; out[0] = x;", "7"},
        {"int", "int x = 3; x += x *= 2; out[0] = x > 0; out[1] = -x + x;", "1 0"},
        {"int",
         "int x = 1; { int x = 2; out[0] = x; } out[1] = x; for (int x = 9; x < 10; ++x)"
         "out[2] = x; out[3] = x;",
         "2 1 9 1"},
        {"int",
         "int x = 1; int* p = &x; *p = 5; out[0] = x; x = 6; out[1] = *p; ++*p; "
         "out[2] = x; out[3] = (*p)++; out[4] = x;",
         "5 6 7 7 8"},
        {"int", "int x = 1; int* p = &x; int** q = &p; **q = 3; out[0] = x; out[1] = p == *q;",
         "3 1"},
        {"int", "int* p = 0; out[0] = !p; out[1] = p == NULL; out[2] = p && *p;", "1 1 0"},
        {"int", "uint x = 0x01020304; uchar* p = (uchar*)&x; out[0] = p[0]; p[3] = 9; out[1] = x;",
         "4 151126788"},
        {"int", "float x = 1.0f; out[0] = *(int*)&x;", "1065353216"},
    };
    expect(kAll);
}

TEST(Language, ArraysStructuresAndUnions) {
    static constexpr Doing kAll[] = {
        {"int",
         "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; out[0] = a[1][2]; out[1] = *(*(a + 1) + 1);"
         "out[2] = sizeof a[0]; out[3] = a[0][1]; out[4] = sizeof a / sizeof a[0][0];",
         "6 5 12 2 6"},
        {"int", "int a[2][2] = {1, 2, 3}; for (int i = 0; i < 4; ++i) out[i] = a[i / 2][i % 2];",
         "1 2 3 0"},
        {"int", "int a[2][2] = {{1}, {2}}; for (int i = 0; i < 4; ++i) out[i] = a[i / 2][i % 2];",
         "1 0 2 0"},
        {"int", "int a[] = {3, 4, 5}; out[0] = sizeof a; out[1] = a[2];", "12 5"},
        {"int",
         "int a[4] = {0}; a[2] = 7; int s = 0; for (int i = 0; i < 4; ++i) s += a[i];"
         "out[0] = s;",
         "7"},
        {"int", "int2 a[2] = {(int2)(1, 2), {3, 4}}; out[0] = a[1].x; out[1] = a[0].y;", "3 2"},
        {"int",
         "struct { int a; float b; char c[3]; } s = {1, 2.5f, {3, 4}};"
         "out[0] = s.a; out[1] = s.b * 2; out[2] = s.c[1]; out[3] = s.c[2]; out[4] = sizeof s;",
         "1 5 4 0 12"},
        {"int",
         "struct p { int x, y; }; struct p a = {1, 2}, b = a; b.x = 9; out[0] = a.x;"
         "a = b; out[1] = a.x; struct p* q = &a; q->y += 5; out[2] = a.y; (*q).x = 4;"
         "out[3] = a.x; out[4] = b.y;",
         "1 9 7 4 2"},
        {"int",
         "struct in { int v[2]; }; struct outer { struct in a, b; } s = {{{1, 2}}, {{3, 4}}};"
         "struct outer t; t = s; t.b.v[1] = 8; out[0] = s.b.v[1]; out[1] = t.b.v[1];"
         "out[2] = t.a.v[0]; s.a = t.b; out[3] = s.a.v[1];",
         "4 8 1 8"},
        {"int",
         "struct { int x; struct { int y; union { int z; float w; }; }; } s; s.x = 1;"
         "s.y = 2; s.w = 1.0f; out[0] = s.x + s.y; out[1] = s.z;",
         "3 1065353216"},
        {"int",
         "union { float f; int i; uchar b[4]; } u; u.f = 1.0f; out[0] = u.i;"
         "out[1] = u.b[3]; u.b[3] = 0x40; out[2] = u.f > 2.0f; out[3] = sizeof u;",
         "1065353216 63 1 4"},
        {"int",
         "union n { int i; char c; }; union n a, b; a.i = 258; b = a; out[0] = b.i;"
         "out[1] = b.c;",
         "258 2"},
        {"int",
         "typedef struct { int3 v; char c; } T; T a[2]; a[1].v.y = 3; a[1].c = 4;"
         "out[0] = a[1].v.y; out[1] = sizeof(T); out[2] = a[1].c;",
         "3 32 4"},
        {"int",
         "enum { A, B = 5, C }; enum color { RED = C * 2, GREEN }; enum color g = GREEN;"
         "out[0] = A; out[1] = C; out[2] = g;",
         "0 6 13"},
        {"int",
         "typedef int row[2]; row a[2] = {{1, 2}, {3, 4}}; row* p = a;"
         "out[0] = (*p)[1]; ++p; out[1] = (*p)[0]; out[2] = p[0][1];",
         "2 3 4"},
        {"int",
         "local int shared[2][2]; shared[1][0] = 3; local int* p = shared[1]; p[1] = 4;"
         "out[0] = shared[1][0] * 10 + shared[1][1];",
         "34"},
    };
    expect(kAll);
}

TEST(Language, TwoResults) {
    static constexpr Doing kAll[] = {
        {"float", "float w; out[0] = modf(-3.75f, &w); out[1] = w;", "-0.75 -3"},
        {"float", "float w; out[0] = fract(-0.25f, &w); out[1] = w;", "0.75 -1"},
        {"float", "int e; out[0] = frexp(12.0f, &e); out[1] = e;", "0.75 4"},
        {"float", "float c; out[0] = sincos(0.0f, &c); out[1] = c;", "0 1"},
        {"float", "out[0] = modf(2.5f, out + 1);", "0.5 2"},
    };
    expect(kAll);
}

}  // namespace

// What OpenCL C says, run: each small kernel's results are worked out by the specification.
// Integers.
namespace {

TEST(Language, Integers) {
    static constexpr Value kValues[] = {
        {"int", "INT_MAX + 1", "-2147483648"},  // wraps, as on devices
        {"int", "INT_MIN - 1", "2147483647"},
        {"int", "INT_MAX * 2", "-2"},
        {"int", "-INT_MIN", "-2147483648"},
        {"uint", "0u - 1u", "4294967295"},
        {"uint", "65536u * 65537u", "65536"},
        {"long", "INT_MAX + 1L", "2147483648"},
        {"int", "7 / 2", "3"},
        {"int", "-7 / 2", "-3"},
        {"int", "7 / -2", "-3"},
        {"int", "-7 / -2", "3"},
        {"int", "-7 % 3", "-1"},
        {"int", "7 % -3", "1"},
        {"uint", "-7 / 2u", "2147483644"},
        {"long", "LONG_MIN / 2", "-4611686018427387904"},
        {"ulong", "ULONG_MAX / 3", "6148914691236517205"},
        {"ulong", "ULONG_MAX % 10", "5"},
        {"int", "1 << 4", "16"},
        {"int", "1 << 33", "2"},  // the count is taken modulo the width
        {"int", "1 << -1", "-2147483648"},
        {"uint", "0x80000000 >> 32", "2147483648"},
        {"int", "-8 >> 1", "-4"},
        {"int", "-1 >> 31", "-1"},
        {"uint", "(uint)-8 >> 28", "15"},
        {"long", "1L << 33", "8589934592"},
        {"long", "1L << 65", "2"},
        {"long", "1 << 31", "-2147483648"},
        {"int", "(uchar)1 << 9", "512"},  // promoted to int before
        {"int", "(uchar)200 + (uchar)100", "300"},
        {"uchar", "(uchar)200 + (uchar)100", "44"},
        {"char", "200", "-56"},
        {"short", "40000", "-25536"},
        {"ushort", "-1", "65535"},
        {"uchar", "(char)-1", "255"},
        {"uint", "(char)-1", "4294967295"},
        {"ulong", "-1", "18446744073709551615"},
        {"ulong", "(uint)-1", "4294967295"},
        {"long", "(int)0xffffffffu", "-1"},
        {"int", "-1 < 0u", "0"},
        {"int", "-1L < 0u", "1"},
        {"int", "(char)-1 < (uchar)0", "1"},
        {"int", "(char)-1 == 255", "0"},
        {"int", "(uchar)-1 == 255", "1"},
        {"int", "~0u == UINT_MAX", "1"},
        {"int", "~(uchar)0", "-1"},
        {"int", "-(uchar)1", "-1"},
        {"uint", "-1u", "4294967295"},
        {"int", "5 & 3 | 4 ^ 1", "5"},
        {"int", "1 + 2 * 3 - 4 / 2 % 3", "5"},
        {"int", "10 - 4 - 3", "3"},
        {"int", "2 + 3 << 1", "10"},
        {"int", "1 | 2 == 2", "1"},
        {"int", "1 ? 0 ? 1 : 2 : 3", "2"},
        {"int", "!5 + !0 * 2", "2"},
        {"int", "3 > 2 > 1", "0"},
        {"int", "(1, 2, 3)", "3"},
        {"int", "2 && 0 || 3", "1"},
        {"int", "'a' + '\\n' + '\\x41' + '\\101' + '\\0'", "237"},
        {"int", "'\\\\' + '\\'' + '\\t' + '\\7' + '?' + '\\?'", "273"},
        {"int", "'\\xff'", "-1"},
        {"int", "0x7f + 010", "135"},
        {"long", "0xffffffff + 0", "4294967295"},
        {"long", "0xffffffff + 1", "0"},  // a uint
        {"long", "2147483648 + 2147483648", "4294967296"},
        {"int", "(bool)0.5f + (bool)2 + (bool)0", "2"},
        {"int", "sizeof(int3) + sizeof(char) + sizeof(size_t)", "25"},
        {"int", "true + true", "2"},
    };
    expect(kValues);
}

TEST(Language, Conversions) {
    static constexpr Value kValues[] = {
        {"int", "(int)3.9f", "3"},
        {"int", "(int)-3.9f", "-3"},
        {"uchar", "(uchar)254.9f", "254"},
        {"float", "(float)16777217", "16777216"},
        {"float", "(float)-3", "-3"},
        {"double", "(double)0.1f", "0.10000000149011612"},
        {"float", "(float)0.1", "0.1"},
        {"int", "convert_int(2.9f)", "2"},
        {"int", "convert_int_rte(2.5f)", "2"},
        {"int", "convert_int_rte(3.5f)", "4"},
        {"int", "convert_int_rte(-2.5f)", "-2"},
        {"int", "convert_int_rte(-2.51f)", "-3"},
        {"int", "convert_int_rtz(-2.7f)", "-2"},
        {"int", "convert_int_rtp(2.1f)", "3"},
        {"int", "convert_int_rtp(-2.9f)", "-2"},
        {"int", "convert_int_rtn(2.9f)", "2"},
        {"int", "convert_int_rtn(-2.1f)", "-3"},
        {"long", "convert_long_rte(4503599627370497.5)", "4503599627370498"},
        {"int", "convert_int_sat(1e10f)", "2147483647"},
        {"int", "convert_int_sat(-1e10f)", "-2147483648"},
        {"int", "convert_int_sat(INFINITY)", "2147483647"},
        {"int", "convert_int_sat(NAN)", "0"},
        {"uint", "convert_uint_sat(-1.5f)", "0"},
        {"uint", "convert_uint_sat(-1)", "0"},
        {"int", "convert_int_sat(0xffffffffu)", "2147483647"},
        {"int", "convert_int_sat(LONG_MIN)", "-2147483648"},
        {"uchar", "convert_uchar_sat(300)", "255"},
        {"uchar", "convert_uchar_sat(-5)", "0"},
        {"uchar", "convert_uchar(300)", "44"},
        {"char", "convert_char_sat(200)", "127"},
        {"char", "convert_char_sat(-200L)", "-128"},
        {"char", "convert_char_sat((uchar)128)", "127"},
        {"ushort", "convert_ushort_sat((short)-1)", "0"},
        {"uchar", "convert_uchar_sat_rte(254.5f)", "254"},
        {"uchar", "convert_uchar_sat_rte(255.5f)", "255"},
        {"char", "convert_char_sat_rtn(-0.5f)", "-1"},
        {"ulong", "convert_ulong_sat(1e30f)", "18446744073709551615"},
        {"long", "convert_long_sat(-1e30f)", "-9223372036854775808"},
        {"long", "convert_long_sat(ULONG_MAX)", "9223372036854775807"},
        {"ulong", "convert_ulong_sat(-1)", "0"},
        {"float", "convert_float_rte(16777217)", "16777216"},
        {"float", "convert_float_rte(16777219)", "16777220"},
        {"float", "convert_float_rtz(16777219)", "16777218"},
        {"float", "convert_float_rtp(16777217)", "16777218"},
        {"float", "convert_float_rtn(16777219)", "16777218"},
        {"float", "convert_float_rtn(-16777217)", "-16777218"},
        {"float", "convert_float_rtz(-16777217)", "-16777216"},
        {"float", "convert_float_rtp(0.1)", "0.1"},
        {"float", "convert_float_rtn(0.1)", "0.099999994"},
        {"float", "convert_float_rtz(1e300)", "3.4028235e+38"},
        {"float", "convert_float(1e300)", "inf"},
        {"double", "convert_double_rtz(9007199254740993L)", "9007199254740992"},
        {"double", "convert_double_rtp(9007199254740993L)", "9007199254740994"},
        {"int", "as_int(1.0f)", "1065353216"},
        {"float", "as_float(0x40490fdb)", "3.1415927"},
        {"uint", "as_uint(as_float(0x7fc00001))", "2143289345"},
        {"long", "as_long(1.0)", "4607182418800017408"},
        {"double", "as_double(0x4000000000000000L)", "2"},
        {"short", "as_short((ushort)65535)", "-1"},
        {"char", "as_char((uchar)200)", "-56"},
        {"int", "as_int((uchar4)(1, 2, 3, 4))", "67305985"},
        {"int", "as_int((short2)(-1, 1))", "131071"},
        {"ulong", "as_ulong((uint2)(1, 2))", "8589934593"},
        {"int", "as_int2(0x200000001L).y", "2"},
        {"ushort", "as_ushort2(0xABCD1234u).y", "43981"},
        {"char", "as_char4(-2).w", "-1"},
        {"float", "as_float4((uint4)(0, 0, 0x3f800000, 0)).z", "1"},
        {"double", "as_double((int2)(0, 0x40080000))", "3"},
    };
    expect(kValues);
}

TEST(Language, IntegerFunctions) {
    static constexpr Value kValues[] = {
        {"uint", "abs(-5)", "5"},
        {"uint", "abs(INT_MIN)", "2147483648"},
        {"uchar", "abs((char)-128)", "128"},
        {"uint", "abs_diff(INT_MIN, INT_MAX)", "4294967295"},
        {"uint", "abs_diff(3u, 5u)", "2"},
        {"int", "add_sat(INT_MAX, 1)", "2147483647"},
        {"int", "add_sat(INT_MIN, -1)", "-2147483648"},
        {"int", "add_sat((uchar)200, (uchar)100)", "255"},
        {"long", "add_sat(LONG_MAX, LONG_MAX)", "9223372036854775807"},
        {"ulong", "add_sat(ULONG_MAX, 1UL)", "18446744073709551615"},
        {"uint", "sub_sat(0u, 1u)", "0"},
        {"uint", "sub_sat(5u, 3u)", "2"},
        {"char", "sub_sat((char)-100, (char)100)", "-128"},
        {"int", "hadd(INT_MAX, INT_MAX - 2)", "2147483646"},
        {"int", "hadd(-1, 0)", "-1"},
        {"int", "rhadd(-1, 0)", "0"},
        {"uint", "hadd(3u, 4u)", "3"},
        {"uint", "rhadd(3u, 4u)", "4"},
        {"ulong", "rhadd(ULONG_MAX, ULONG_MAX)", "18446744073709551615"},
        {"int", "mul_hi(INT_MIN, 2)", "-1"},
        {"uint", "mul_hi(UINT_MAX, UINT_MAX)", "4294967294"},
        {"uchar", "mul_hi((uchar)255, (uchar)255)", "254"},
        {"long", "mul_hi(LONG_MAX, 4L)", "1"},
        {"ulong", "mul_hi(ULONG_MAX, ULONG_MAX)", "18446744073709551614"},
        {"int", "mad_hi(0x10000, 0x10000, 5)", "6"},
        {"int", "mad_sat(INT_MAX, 2, 0)", "2147483647"},
        {"int", "mad_sat(-65536, 65536, 0)", "-2147483648"},
        {"int", "mad_sat(3, 4, 5)", "17"},
        {"ulong", "mad_sat(ULONG_MAX, ULONG_MAX, ULONG_MAX)", "18446744073709551615"},
        {"uint", "rotate(0x80000001u, 1u)", "3"},
        {"uint", "rotate(1u, 32u)", "1"},
        {"int", "rotate(1, -1)", "-2147483648"},
        {"uchar", "rotate((uchar)0x81, (uchar)1)", "3"},
        {"int", "clz(1)", "31"},
        {"int", "clz(0)", "32"},
        {"int", "clz(-1)", "0"},
        {"uchar", "clz((uchar)1)", "7"},
        {"long", "clz(1L)", "63"},
        {"uint", "popcount(0xf0f0u)", "8"},
        {"char", "popcount((char)-1)", "8"},
        {"int", "upsample((uchar)0x12, (uchar)0x34)", "4660"},
        {"int", "upsample((char)-1, (uchar)0)", "-256"},
        {"int", "upsample((short)-2, (ushort)1)", "-131071"},
        {"long", "upsample(1, 2u)", "4294967298"},
        {"int", "mul24(-3, 5)", "-15"},
        {"uint", "mad24(3u, 4u, 5u)", "17"},
        {"int", "clamp(5, 1, 3)", "3"},
        {"int", "clamp(-5, 1, 3)", "1"},
        {"uint", "clamp(2u, 1u, 3u)", "2"},
        {"int", "min(-1, 1)", "-1"},
        {"uint", "min(UINT_MAX, 1u)", "1"},
        {"char", "max((char)-1, (char)1)", "1"},
        {"ulong", "max(ULONG_MAX, 1UL)", "18446744073709551615"},
        {"uint", "bitselect(0xff00ff00u, 0x12345678u, 0x0000ffffu)", "4278212216"},
        {"int", "select(1, 2, 0)", "1"},
        {"int", "select(1, 2, 5)", "2"},
        {"int", "any(-1)", "1"},
        {"int", "any(1)", "0"},  // the highest bit counts
        {"int", "any((int2)(0, -1))", "1"},
        {"int", "all((int2)(-1, 0))", "0"},
        {"int", "all((int2)(-1, -2))", "1"},
        {"int", "any((char4)(0, 0, 0, -128))", "1"},
        {"int", "any((char4)(127))", "0"},
    };
    expect(kValues);
}

}  // namespace

// Arithmetic of halves (cl_khr_fp16): each operation gives the nearest half.
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
        // Rounded once, and of the halves themselves.
        {"kernel void f(global int* out) { half a = 1.03125h, b = 1.015625h; half2 t = (half2)"
         "(0x1p-24h, 1);\n out[0] = as_ushort(fma(a, b, t.x)); out[1] = as_ushort(fma(-a, b, "
         "-t.x));\n"
         " out[2] = as_ushort(fma((half2)a, (half2)b, t).x); out[3] = as_ushort(nextafter((half)1, "
         "(half)2));\n"
         " out[4] = as_ushort(nextafter((half)0, (half)-1)); out[5] = isnormal((half)0x1p-15h);\n"
         " short2 m = isnormal(t); out[6] = m.x * 10 + m.y; out[7] = as_ushort(nextafter((half)-1, "
         "(half)0)); }",
         "15409 48177 15409 15361 32769 0 -1 48127"},
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
                          order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_FALSE(run.fault());
    ASSERT_EQ(run.prints().size(), 1U);
    EXPECT_EQ(run.prints()[0].text, "1.50 1.500000,2.000000");
}

}  // namespace

// What OpenCL C says, run: half in memory, packed and aligned structures, arrays in arrays, texts,
// printf, and the built-in functions besides arithmetic.
namespace {

TEST(Language, HalfInMemory) {
    static constexpr Doing kAll[] = {
        {"ushort",
         "global half* h = (global half*)out; vstore_half(1.0f, 0, h); vstore_half(-2.5f, 1, h);"
         "vstore_half(65504.0f, 2, h); vstore_half(65520.0f, 3, h); vstore_half(1e-8f, 4, h);"
         "vstore_half(0x1p-24f, 5, h); vstore_half(0x1.8p-25f, 6, h); vstore_half(-0.0f, 7, h);"
         "vstore_half(NAN, 8, h); vstore_half(-INFINITY, 9, h); vstore_half(0x1.ff8p-15f, 10, h);",
         "15360 49408 31743 31744 0 1 1 32768 32256 64512 1023"},
        // 1 + 1/2048 lies between two halves, right in the middle.
        {"ushort",
         "global half* h = (global half*)out; const float x = 1 + 0x1p-11f;"
         "vstore_half(x, 0, h); vstore_half_rte(-x, 1, h); vstore_half_rtz(x, 2, h);"
         "vstore_half_rtz(-x, 3, h); vstore_half_rtp(x, 4, h); vstore_half_rtp(-x, 5, h);"
         "vstore_half_rtn(x, 6, h); vstore_half_rtn(-x, 7, h); vstore_half_rtz(1e9f, 8, h);"
         "vstore_half_rtn(1e9f, 9, h); vstore_half_rtp(-1e9f, 10, h); vstore_half_rtp(1e-9, 11, "
         "h);",
         "15360 48128 15360 48128 15361 48128 15360 48129 31743 31743 64511 1"},
        {"ushort",
         "global half* h = (global half*)out; vstore_half2((float2)(1, 2), 1, h);"
         "vstore_half3_rtz((double3)(3, 4, 5), 2, h); vstorea_half3((float3)(6, 7, 8), 3, h);",
         "0 0 15360 16384 0 0 16896 17408 17664 0 0 0 17920 18176 18432"},
        {"float",
         "const ushort in[5] = {0x3c00, 0xc100, 0x7c00, 1, 0x83ff};"
         "for (int i = 0; i < 5; ++i) out[i] = vload_half(i, (const half*)in);",
         "1 -2.5 inf 5.9604645e-08 -6.097555e-05"},
        {"float",
         "ushort in[8]; for (int i = 0; i < 8; ++i) in[i] = (ushort)(0x3c00 + (i << 8));"
         "const half* h = (half*)in; vstore4(vload_half4(1, h), 0, out);"
         "vstore3(vload_half3(1, h), 0, out + 4); vstore3(vloada_half3(1, h), 0, out + 7);"
         "out[10] = sizeof(half); out[11] = (&h[3] - h) + sizeof(*h);",
         "2 2.5 3 3.5 1.75 2 2.5 2 2.5 3 2 5"},
    };
    expect(kAll);
}

TEST(Language, PackedAndAlignedStructures) {
    static constexpr Program kAll[] = {
        {"typedef struct __attribute__((packed)) { char a; int b; short c; double d; } P;\n"
         "kernel void f(global int* out) { P p = {1, -2, 3, 2.5}; P q[2]; q[1] = p; q[1].b *= 3;\n"
         " q[0] = q[1]; q[0].d += q[0].c; P* at = &q[0]; at->c--; out[0] = sizeof(P);\n"
         " out[1] = q[0].a; out[2] = q[0].b; out[3] = q[0].c; out[4] = q[0].d * 10; }",
         "15 1 -6 2 55"},
        {"typedef struct { char a; int b; } __attribute__((packed)) P;\n"
         "typedef struct { char a; int b __attribute__((packed)); char c; } Q;\n"
         "typedef struct __attribute__((aligned(16))) { int a; } A;\n"
         "typedef struct { char a; int b __attribute__((aligned(8))); } B;\n"
         "typedef struct __attribute__((packed, aligned(4))) { char a; double b; } C;\n"
         "kernel void f(global int* out) { out[0] = sizeof(P); out[1] = sizeof(Q);\n"
         " out[2] = sizeof(A); out[3] = sizeof(B); out[4] = sizeof(C); Q q; q.b = 7; q.c = 2;\n"
         " out[5] = q.b * q.c; }",
         "5 6 16 16 12 14"},
        {"struct __attribute__((packed)) P { char tag; float4 v; int rows[3]; struct { short s; } "
         "in; };\n"
         "float sum(struct P p) { return p.v.x + p.v.w + p.rows[2]; }\n"
         "struct P made(int x) { struct P p; p.tag = 1; p.v = (float4)(x, 2, 3, 4); p.rows[0] = "
         "1;\n"
         " p.rows[1] = 2; p.rows[2] = 3; p.in.s = -4; p.v.yz = p.v.zy; return p; }\n"
         "kernel void f(global int* out) { local struct P l[2]; l[1] = made(5); l[0] = l[1];\n"
         " out[0] = sum(l[1]); out[1] = l[0].v.y; out[2] = l[0].in.s; l[0].rows[1] += 8;\n"
         " out[3] = l[0].rows[1]; out[4] = sizeof(struct P); }",
         "12 3 -4 10 31"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// What is copied as it is keeps its lineage.
TEST(Language, PackedStructuresCarryLineage) {
    const Example example{
        "typedef struct __attribute__((packed)) { char tag; int value; } P;\n"
        "kernel void f(global int* in, global int* out)\n{\n"
        "    P p[2];\n    p[0].value = in[1];\n    p[1] = p[0];\n    out[0] = p[1].value + "
        "in[2];\n}\n",
        1,
        1,
        {{1, 2, 3}, {}},
        1};
    const auto run = play(job_of(example, 1), SchedulingPolicy{});
    ASSERT_FALSE(run.fault());
    const Node node = run.end().memory[1].pages[0]->nodes.at(0);
    const Origin& both = run.machine().lineage()[node];
    EXPECT_EQ(run.machine().lineage()[both.left].index, 1U);
    EXPECT_EQ(run.machine().lineage()[both.right].index, 2U);
}

TEST(Language, AnIndexStaysWithinItsOwnArray) {
    const auto fault = [](const std::string& body) {
        return outcome("typedef struct { int a[3], b; struct { int c[2]; } in[2]; } S;\n" +
                           kernel_of("int", body),
                       4, {4, 4, 4});
    };
    EXPECT_EQ(fault("int t[4][4]; const int i = get_local_id(0); t[0][i + 1] = 1; out[i] = 0;"),
              "fault: Work-item 3 goes to t[…][4], which does not exist");
    EXPECT_EQ(fault("local int t[4][4]; const int i = get_local_id(0); t[0][i - 1] = 1;"),
              "fault: Work-item 0 goes to t[…][-1], which does not exist");
    EXPECT_EQ(fault("S s; s.b = 1; const int i = get_local_id(0); s.a[i] = i;"),
              "fault: Work-item 3 goes to s.a[3], which does not exist");
    EXPECT_EQ(fault("S s; s.in[1].c[get_local_id(0)] = 1;"),
              "fault: Work-item 2 goes to s.in[…].c[2], which does not exist");
    EXPECT_EQ(fault("S s; S* p = &s; out[0] = *(p->a + 4);"),
              "fault: Work-item 0 goes to p.a[4], which does not exist");
    EXPECT_EQ(fault("S s; for (int i = 0; i < 3; ++i) s.a[i] = i; int sum = 0;"
                    "for (const int* p = s.a; p != &s.a[3]; ++p) sum += *p;"
                    "out[get_local_id(0)] = sum;"),
              "3 3 3 3");
    EXPECT_EQ(fault("S s; out[0] = &s.a[4] - s.a;"),
              "fault: Work-item 0 goes to s.a[4], which does not exist");
}

TEST(Language, Texts) {
    static constexpr Program kAll[] = {
        {"constant char text[] = \"a\\x41\\101\\n\" \"b\";\nkernel void f(global int* out) {\n"
         " char t[4] = \"xy\"; uchar u[] = \"\\xff\"; for (int i = 0; i < 6; ++i) out[i] = "
         "text[i];\n"
         " out[6] = t[1]; out[7] = t[3]; out[8] = u[0]; out[9] = sizeof(text) * 10 + sizeof(u); }",
         "97 65 65 10 98 0 121 0 255 62"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(Language, DesignatorsAndLiterals) {
    static constexpr Program kAll[] = {
        {"typedef struct { int a, b; int c[3]; } S;\nconstant int t[6] = {[2] = 5, 6, [0] = 1};\n"
         "constant S s = {.b = 2, .c = {[1] = 4}};\nkernel void f(global int* out) {\n"
         " int u[] = {[3] = 7, [1] = 8, 9}; S v = {.c = {1, 2}, .a = 3};\n"
         " for (int i = 0; i < 4; ++i) out[i] = t[i]; out[4] = s.a + 10 * s.b + 100 * s.c[1];\n"
         " out[5] = sizeof(u); out[6] = u[1] + 10 * u[2] + 100 * u[3] + u[0];\n"
         " out[7] = v.a + v.b + v.c[1] * 10; }",
         "1 0 5 6 420 16 798 23"},
        {"typedef struct { int a; float b; } S;\ntypedef union { float f; int i; } U;\n"
         "int sum(S s) { return s.a + s.b; }\nS made(int x) { return (S){x, .b = 2}; }\n"
         "kernel void f(global int* out) { S s = (S){1, 2}; s = (S){.b = 4};\n"
         " for (int i = 0; i < 3; ++i) out[i] = sum((S){i, i}) + ((int[]){5, 6, 7})[i];\n"
         " out[3] = s.a + s.b; out[4] = made(3).a; int* p = (int[2]){8, 9}; out[5] = p[1];\n"
         " out[6] = ((U){.f = 1.0f}).i >> 20; out[7] = ((int4){1, 2, 3, 4}).z + (int){5}; }",
         "5 8 11 4 3 9 1016 8"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(Language, Geometry) {
    static constexpr Value kValues[] = {
        {"float", "length((float2)(3, 4))", "5"},
        {"float", "length(-2.5f) + fast_length((float3)(1, 2, 2))", "5.5"},
        {"double", "length((double4)(1, 1, 1, 1))", "2"},
        {"float", "distance((float3)(1, 2, 3), (float3)(1, 5, 7))", "5"},
        {"float", "fast_distance(1.0f, 4.0f)", "3"},
        {"float", "normalize((float2)(0, -3)).y", "-1"},
        {"float", "fast_normalize((float4)(0)).w", "0"},
        {"float", "dot((float2)(1, 2), (float2)(3, 4)) + dot(2.0f, 3.0f)", "17"},
        {"int", "vec_step(float3) * 100 + vec_step(char2) * 10 + vec_step(out[0])", "421"},
    };
    expect(kValues);
    static constexpr Doing kAll[] = {
        {"float", "vstore4(cross((float4)(1, 2, 3, 4), (float4)(5, 6, 8, 9)), 0, out);",
         "-2 7 -4 0"},
        {"float", "vstore3(cross((float3)(1, 0, 0), (float3)(0, 1, 0)), 0, out);", "0 0 1"},
        {"int",
         "int q; const float r = remquo(7.0f, 2.0f, &q); out[0] = q; out[1] = r * 10; int2 p;"
         "float2 s = remquo((float2)(-7, 9), (float2)(2, 4), &p); vstore2(p, 1, out);"
         "vstore2(convert_int2(s), 2, out);",
         "4 -10 -4 2 1 1"},
        {"int",
         "int q; remquo(29.0f, 3.0f, &q); out[0] = q; remquo(-29.0f, 3.0f, &q); out[1] = q;"
         "remquo(300.0f, 1.0f, &q); out[2] = q; remquo(1000.0, -7.0, &q); out[3] = q;"
         "remquo(5.0f, 2.0f, &q); out[4] = q; remquo(3e38f, 1e-38f, &q); out[5] = abs(q) < 128;",
         "10 -10 44 -15 2 1"},
        {"int",
         "bool b = 0; b--; out[0] = b; out[1] = b--; out[2] = b; out[3] = --b; b++; out[4] = b;"
         "struct { bool b; } s; s.b = 0; s.b--; out[5] = s.b;",
         "1 1 0 1 1 1"},
        {"int",
         "int s; float g = lgamma_r(-0.5f, &s); out[0] = s; out[1] = g * 1000; g = lgamma_r(4.0f, "
         "&s);"
         "out[2] = s; out[3] = exp(g) + 0.5f; lgamma_r(-1.5f, &s); out[4] = s;",
         "-1 1265 1 6 1"},
    };
    expect(kAll);
}

TEST(Language, BarriersWithComputedFlags) {
    const auto gives = [](const std::string& flags, std::uint32_t lanes) {
        return outcome(kernel_of("int",
                                 "local int t[4]; const int i = get_local_id(0); t[i] = i;"
                                 "barrier(" +
                                     flags + "); out[i] = t[3 - i];"),
                       4, {4, 4, lanes});
    };
    for (const std::uint32_t lanes : {1U, 3U, 4U}) {
        EXPECT_EQ(gives("out[0] == 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE", lanes),
                  "3 2 1 0");
        EXPECT_EQ(gives("i == 2 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE", lanes),
                  "fault: Work-item 2 comes to line 1 with other arguments than work-item 0");
    }
}

std::vector<std::string> printed(const std::string& body, std::uint32_t lanes = 1) {
    const Example example{kernel_of("int", body), 4, 2, {{1, 2, 3, 4}}};
    const auto run = play(job_of(example, lanes), order_of(SchedulingPolicy::Kind::in_order));
    EXPECT_FALSE(run.fault());
    std::vector<std::string> texts;
    for (const Print& print : run.prints())
        texts.push_back(fmt::format("{}: {}", print.item, print.text));
    return texts;
}

TEST(Language, PrintfFormats) {
    const auto text = [](const std::string& arguments) {
        const std::vector<std::string> all =
            printed("if (get_global_id(0) == 0) printf(" + arguments + ");");
        EXPECT_EQ(all.size(), 1U);
        return all.empty() ? "" : all[0].substr(3);
    };
    EXPECT_EQ(text("\"plain %% \\n\""), "plain % \n");
    EXPECT_EQ(text("\"%d|%5d|%-5d|%05d|%+d|% d\", out[1], 7, 7, 7, 7, 7"),
              "2|    7|7    |00007|+7| 7");
    EXPECT_EQ(text("\"%u %x %X %o %#x\", -1, 255, 255, 8, 16"), "4294967295 ff FF 10 0x10");
    EXPECT_EQ(text("\"%ld %lu %hhd %hu\", LONG_MIN, ULONG_MAX, 300, 65537"),
              "-9223372036854775808 18446744073709551615 44 1");
    EXPECT_EQ(text("\"%f %.1f %e %g %8.3f|\", 0.5f, 2.25, 12345.678f, 1e-5, 3.14159f"),
              "0.500000 2.2 1.234568e+04 1e-05    3.142|");
    EXPECT_EQ(text("\"%c%c %s|%5s|%-4s|%.2s\", 'a', 66, \"text\", \"ab\", \"cd\", \"efgh\""),
              "aB text|   ab|cd  |ef");
    EXPECT_EQ(text("\"%v4d %.1v2hlf\", (int4)(1, -2, 3, 4), (float2)(0.5f, 1)"),
              "1,-2,3,4 0.5,1.0");
    EXPECT_EQ(text("\"%c[31m\", 27"), "?[31m");
    EXPECT_EQ(printed("if (get_global_id(0) == 3 && printf(\"x\") == 0) printf(\"y\");"),
              (std::vector<std::string>{"3: x", "3: y"}));
}

TEST(Language, PrintfFollowsTheSchedule) {
    const std::string body =
        "const int i = get_global_id(0); printf(\"%d\", out[i]);"
        "barrier(CLK_LOCAL_MEM_FENCE); printf(\"%d\", 10 * i);";
    EXPECT_THAT(printed(body), testing::ElementsAre("0: 1", "1: 2", "0: 0", "1: 10", "2: 3", "3: 4",
                                                    "2: 20", "3: 30"));
    EXPECT_EQ(printed(body, 2), printed(body));
}

// What a step back does again is not printed again.
TEST(Language, PrintfIsKeptOnce) {
    const Example example{
        kernel_of("int", "printf(\"%d\", out[get_global_id(0)]);"), 4, 2, {{1, 2, 3, 4}}};
    auto run = play(job_of(example, 1), SchedulingPolicy{});
    ASSERT_EQ(run.prints().size(), 4U);
    (void)run.state_at(3);
    EXPECT_EQ(run.prints().size(), 4U);
}

}  // namespace

// What kernels use of OpenCL C 2.0 and 3.0: atomics with orders, variables outside of functions,
// ballots.
namespace {

TEST(Language, OrderedAtomics) {
    static constexpr Program kAll[] = {
        {"kernel void f(global atomic_int* out) { const int i = get_local_id(0);\n"
         " local atomic_int t; if (i == 0) atomic_init(&t, 100);\n"
         " work_group_barrier(CLK_LOCAL_MEM_FENCE); atomic_fetch_add(&t, i);\n"
         " atomic_fetch_sub_explicit(out, 2, memory_order_relaxed);\n"
         " atomic_fetch_or_explicit(out + 1, 1 << i, memory_order_acq_rel, memory_scope_device);\n"
         " atomic_fetch_xor(out + 2, i); atomic_fetch_max(out + 3, i); atomic_fetch_min(out + 4, "
         "-i);\n"
         " work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n"
         " if (i == 0) { atomic_store(out + 5, atomic_load(&t)); atomic_fetch_and(out + 5, 0x7c); "
         "} }",
         "-8 15 0 3 -3 104",
         {4, 4, 2}},
        {"kernel void f(global int* out) { int e = 0;\n"
         " out[1] = atomic_compare_exchange_strong(out, &e, 5); out[2] = e; e = 7;\n"
         " out[3] = atomic_compare_exchange_weak_explicit(out, &e, 9, memory_order_acq_rel,\n"
         "  memory_order_relaxed, memory_scope_device); out[4] = e;\n"
         " out[5] = atomic_exchange(out, 11); out[6] = atomic_flag_test_and_set(out + 8);\n"
         " out[6] += 10 * atomic_flag_test_and_set(out + 8); atomic_flag_clear(out + 8);\n"
         " out[7] = atomic_load_explicit(out, memory_order_acquire); }",
         "11 1 0 0 5 5 10 11 0"},
        {"kernel void f(global float* out) { volatile global atomic_float* p = out;\n"
         " atomic_fetch_add(p, 1.5f); atomic_fetch_max_explicit(p + 1, (float)get_local_id(0),\n"
         " memory_order_relaxed); }",
         "6 3",
         {4, 4, 4}},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// Pointers that name no memory, as from OpenCL C 2.0 on.
TEST(Language, GenericPointers) {
    static constexpr Program kAll[] = {
        {"int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i];\n"
         " return s; }\n"
         "void add_to(int* p, int by) { atomic_add(p, by); }\n"
         "int* second(int* p) { return p + 1; }\n"
         "kernel void f(global int* out) { local int part[2]; int own[2] = {1, 2};\n"
         " part[0] = 10; part[1] = 20; out[1] = 100; out[2] = 200;\n"
         " out[3] = sum(own, 2); out[4] = sum(part, 2); out[5] = sum(out + 1, 2);\n"
         " add_to(out, 7); add_to(part, 5); out[6] = part[0]; *second(out + 6) = 4;\n"
         " *second(own) = 9; out[8] = own[1]; }",
         "7 100 200 3 30 300 15 4 9"},
        {"kernel void f(global int* out) { int* p = out; int* q; q = p + 1; p[0] = 3; *q = 4;\n"
         " uint* r = (uint*)(out + 2); r[0] = 5; int x; p = 0; int* own = &x; *own = 6;\n"
         " out[3] = x; }",
         "3 4 5 6"},
        {"void outer(int* p);\n"
         "void inner(int* p, local int* l) { *p = *l; }\n"
         "void outer(int* p) { inner(p, (local int*)0 + 0); }\n"
         "void twice(int* to, const int* from) { *to = 2 * *from; }\n"
         "kernel void f(global int* out) { local int part; int own = 4; part = 3;\n"
         " twice(out, &own); twice(out + 1, &part); twice(&own, out); out[2] = own;\n"
         " twice(&part, &own); out[3] = part; }",
         "8 6 16 32"},
        {"kernel void f(global int* out) { local int part[1]; int own;\n"
         " out[0] = get_fence(out) == CLK_GLOBAL_MEM_FENCE;\n"
         " out[1] = get_fence(part) == CLK_LOCAL_MEM_FENCE;\n"
         " out[2] = to_global(out) == out; out[3] = to_local(out) == 0;\n"
         " out[4] = to_private(&own) != 0; }",
         "1 1 1 1 1"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// They are shared by all groups and launches, and begin with their values.
TEST(Language, VariablesOutsideOfFunctions) {
    const std::string text =
        "global int counter = 3;\nglobal int table[4] = {1, 2};\n"
        "global atomic_int zero = ATOMIC_VAR_INIT(0);\n"
        "void count(int by) { atomic_add(&counter, by); }\n"
        "kernel void f(global int* out) { count(2); table[get_group_id(0)] += 5;\n"
        " atomic_fetch_add(&zero, 1); if (get_global_id(0) == 3) out[0] = counter; }\n";
    for (const std::uint32_t lanes : {1U, 4U})
        EXPECT_EQ(outcome(text, 1, {4, 1, lanes}), "11");
    Job job = job_of({text, 4, 1, {{0}}}, 1);
    job.launches.push_back(job.launches[0]);
    const auto run = play(std::move(job), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_FALSE(run.fault());
    EXPECT_EQ(run.machine().value(run.end(), 0, 0), 19U);
    ASSERT_EQ(run.machine().job().buffers.size(), 4U);
    const Buffer& table = run.machine().job().buffers[2];
    EXPECT_EQ(table.name, "table");
    EXPECT_TRUE(table.of_program);
    EXPECT_EQ(numbers<std::int32_t>(run.machine().bytes(run.end(), 2)), "11 12 10 10");
}

TEST(Language, Ballots) {
    const auto each = [](const std::string& expression) {
        return outcome(kernel_of("uint",
                                 "const int i = get_local_id(0); uint4 b = "
                                 "sub_group_ballot(i % 3 == 1); out[i] = " +
                                     expression + ";"),
                       6, {6, 6, 4});
    };
    EXPECT_EQ(each("b.x + b.y + b.z + b.w"), "2 2 2 2 1 1");
    EXPECT_EQ(each("sub_group_ballot_bit_count((uint4)(0xff))"), "4 4 4 4 4 4");
    EXPECT_EQ(each("sub_group_inverse_ballot(b)"), "0 1 0 0 1 0");
    EXPECT_EQ(each("sub_group_ballot_bit_extract(b, 1)"), "1 1 1 1 0 0");
    EXPECT_EQ(each("sub_group_ballot_inclusive_scan((uint4)(5))"), "1 1 2 2 1 1");
    EXPECT_EQ(each("sub_group_ballot_exclusive_scan((uint4)(5))"), "0 1 1 2 0 1");
    EXPECT_EQ(each("sub_group_ballot_find_lsb((uint4)(12))"), "2 2 2 2 2 2");
    EXPECT_EQ(each("sub_group_ballot_find_msb((uint4)(12, 1, 0, 0))"), "32 32 32 32 32 32");
    EXPECT_EQ(each("get_sub_group_eq_mask().x"), "1 2 4 8 1 2");
    EXPECT_EQ(each("get_sub_group_ge_mask().x"), "15 14 12 8 15 14");
    EXPECT_EQ(each("get_sub_group_gt_mask().x"), "14 12 8 0 14 12");
    EXPECT_EQ(each("get_sub_group_le_mask().x"), "1 3 7 15 1 3");
    EXPECT_EQ(each("get_sub_group_lt_mask().x"), "0 1 3 7 0 1");
    EXPECT_EQ(each("sub_group_elect()"), "1 0 0 0 1 0");
    EXPECT_EQ(each("sub_group_rotate(i, 1)"), "1 2 3 0 5 4");
    EXPECT_EQ(each("sub_group_shuffle((int4)(i, i + 10, 0, 0), 1).y"), "11 11 11 11 15 15");
    EXPECT_EQ(each("sub_group_reduce_mul(i + 1) * 100 + sub_group_reduce_xor(i)"),
              "2400 2400 2400 2400 3001 3001");
    EXPECT_EQ(
        each("sub_group_non_uniform_all_equal(i / 4) * 10 + sub_group_non_uniform_all_equal(i)"),
        "10 10 10 10 10 10");
    EXPECT_EQ(each("work_group_scan_inclusive_or(1 << i)"), "1 3 7 15 31 63");
}

// Where some lanes rest, lanes are still named by their own numbers.
TEST(Language, SubGroupFunctionsInABranch) {
    const auto each = [](const std::string& expression) {
        return outcome(kernel_of("int",
                                 "const int i = get_local_id(0); out[i] = -1; if (i > 0) "
                                 "out[i] = " +
                                     expression + ";"),
                       4, {4, 4, 4});
    };
    EXPECT_EQ(each("sub_group_shuffle(i * 10, 2)"), "-1 20 20 20");
    EXPECT_EQ(each("sub_group_shuffle_xor(i, i > 1)"), "-1 1 3 2");
    EXPECT_EQ(each("sub_group_shuffle_up(i, i > 1)"), "-1 1 1 2");
    EXPECT_EQ(each("sub_group_broadcast_first(i)"), "-1 1 1 1");
    EXPECT_EQ(each("sub_group_elect() + (int)sub_group_ballot(1).x * 10"), "-1 141 140 140");
    EXPECT_EQ(each("sub_group_non_uniform_reduce_add(i)"), "-1 6 6 6");
}

}  // namespace

// What compilers take of kernels as they are found, beyond the letter of OpenCL C 1.2.
namespace {

void expect(const Program& program) {
    EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
        << program.text;
}

TEST(LenientLanguage, FunctionsOfOneNameAreToldApartByTheirArguments) {
    static constexpr Program kAll[] = {
        {"#define O __attribute__((overloadable))\n"
         "int O kind(int x) { return 1; }\nint O kind(float x) { return 2; }\n"
         "O int kind(int2 x) { return 3; }\nint O kind(int x, int y) { return 4; }\n"
         "int O kind(global int* x) { return 5; }\n"
         "kernel void f(global int* out) { const char c = 1;\n"
         " out[0] = kind(7); out[1] = kind(1.5f); out[2] = kind((int2)(1)); out[3] = kind(1, 2);\n"
         " out[4] = kind(out); out[5] = kind(c); out[6] = kind(1.0); }",
         "1 2 3 4 5 1 2"},
        {"int __attribute__((overloadable)) later(int x);\n"
         "int __attribute__((overloadable)) later(float x);\n"
         "kernel void f(global int* out) { out[0] = later(1); out[1] = later(1.0f); }\n"
         "int __attribute__((overloadable)) later(int x) { return 1; }\n"
         "int __attribute__((overloadable)) later(float x) { return 2; }\n",
         "1 2"},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, TextsAreArraysOfConstantMemory) {
    static constexpr Program kAll[] = {
        {"int length_of(constant char* text) { int n = 0; while (text[n] != 0) ++n; return n; }\n"
         "kernel void f(global int* out) { constant char* name = \"four\";\n"
         " out[0] = length_of(name); out[1] = length_of(\"a\" \"bc\"); out[2] = \"xyz\"[1];\n"
         " out[3] = sizeof(\"12345\"); }",
         "4 3 121 6"},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, PrintfPrintsTextsThatAreChosen) {
    const auto run =
        play(job_of({"kernel void f(global int* out) { const int i = get_global_id(0);\n"
                     " printf(\"%d is %5s|%-4.2s|\\n\", i, i % 2 ? \"odd\" : \"even\",\n"
                     "        i ? \"yes\" : \"no\"); out[0] = 1; }",
                     2,
                     2,
                     {{0}}},
                    1),
             order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_FALSE(run.fault());
    ASSERT_EQ(run.prints().size(), 2U);
    EXPECT_EQ(run.prints()[0].text, "0 is  even|no  |\n");
    EXPECT_EQ(run.prints()[1].text, "1 is   odd|ye  |\n");
}

TEST(LenientLanguage, AVectorTakesAConstantIndex) {
    expect(
        {"kernel void f(global int* out) { int4 v = (int4)(1, 2, 3, 4); v[2] = 7;\n"
         " out[0] = v[0] + 10 * v[3]; out[1] = v.z; }",
         "41 7"});
}

TEST(LenientLanguage, VariablesOutsideOfFunctionsAreGlobalIfNothingIsSaid) {
    expect(
        {"int counter = 3;\nconst float half_of[2] = {0.5f, 1.5f};\n"
         "kernel void f(global int* out) { atomic_inc(&counter);\n"
         " barrier(CLK_GLOBAL_MEM_FENCE); out[0] = counter; out[1] = 2 * half_of[1]; }",
         "7 3",
         {4, 4, 4}});
}

TEST(LenientLanguage, APointerIsTakenForAnotherWithAWarning) {
    expect(
        {"kernel void f(global int* out) { global uint* bits = out; global const int* c = out;\n"
         " global int* again = c; bits[0] = 0xffffffffu; again[1] = 5; }",
         "-1 5"});
}

TEST(LenientLanguage, ComponentsByAVariable) {
    expect(
        {"kernel void f(global int* out) { const int i = get_global_id(0);\n"
         " float4 v = (float4)(1, 2, 3, 4); struct { int2 w; } s = {(int2)(5, 6)};\n"
         " v[i] *= 10; s.w[i & 1] = 7; const float8 many = (float8)(v, v);\n"
         " out[i] = v[i] + v[3 - i] * 100 + s.w[1] * 1000 + many[7 - i] * 10000; }",
         "46410 37320 26230 17140",
         {4, 4, 4}});
}

TEST(LenientLanguage, StatementsInAnExpression) {
    static constexpr Program kAll[] = {
        {"#define larger(a, b) ({ int x = (a), y = (b); x > y ? x : y; })\n"
         "kernel void f(global int* out) { const int i = get_global_id(0);\n"
         " out[i] = larger(i, 2) + 10 * larger(({ int y = i; y *= 2; y; }), larger(3, i)); }",
         "32 32 42 63",
         {4, 4, 4}},
        // Loops and choices within, and around; those of a lane that does not come there.
        {"kernel void f(global int* out) { const int i = get_global_id(0); int sum = 0;\n"
         " for (int k = 0; k < 4; ++k) {\n"
         "  if (i == 1) continue;\n"
         "  sum += ({ int n = 0; for (;;) { if (n == i) break; if (n > k) break; ++n; } n; });\n"
         "  if (i == 3 && k == 1) break;\n"
         " }\n out[i] = i > 0 && ({ sum += 100; sum > 105; }) ? sum : -sum; }",
         "0 -100 107 -103",
         {4, 4, 4}},
        // Of nothing, of a vector, of a pointer, and in a function.
        {"int twice(int x) { return ({ if (x > 5) x = 5; x; }) * 2; }\n"
         "kernel void f(global int* out) { ({ out[0] = twice(7); }); ({});\n"
         " const int2 v = ({ int2 w = (int2)(1, 2); w.yx; }); out[1] = v.x * 10 + v.y;\n"
         " *({ int a[2] = {2, 3}; out + a[1] - 1; }) = ({ struct { int m; } s = {4}; s.m; }); }",
         "10 21 4"},
        // As a statement it is a block, that may be left.
        {"kernel void f(global int* out) { const int i = get_global_id(0); out[i] = i;\n"
         " for (int k = 0; k < 3; ++k) { ({ if (k == i) break; out[i] += 10; }); }\n"
         " ({ if (i == 1) return; }); out[i] += 100; }",
         "100 11 122 133",
         {4, 4, 4}},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, PointersOutsideOfFunctions) {
    expect(
        {"global int g[] = {7, 42};\nconstant int c[][2] = {{-3, 56}, {5, 6}};\n"
         "global int* first = g;\nglobal int* const second = &g[1];\n"
         "constant int* third = c[1] + 1;\nconstant int* constant fourth = &c[0][1];\n"
         "constant int* none = 0;\n"
         "kernel void f(global int* out) { out[0] = *first; out[1] = second[0]; out[2] = *third;\n"
         " out[3] = fourth[-1]; out[4] = none == 0; *second = 1; out[5] = g[1]; }",
         "7 42 6 -3 1 1"});
}

// As from OpenCL C 2.0 on: one pointer for local and for global memory.
TEST(LenientLanguage, APointerThatNamesNoMemoryMayPointToBoth) {
    static constexpr Program kAll[] = {
        {"kernel void f(global int* out) { local int t[4]; const int i = get_global_id(0);\n"
         " t[i] = 10 + i; out[i] = i; int* p;\n"
         " if (i % 2) p = t; else p = out;\n barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " const int taken = p[i] + *(p + i);\n"
         " barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " atomic_add(&p[0], 1); barrier(CLK_GLOBAL_MEM_FENCE); p = out; p[i] += taken; }",
         "2 23 6 29",
         {4, 4, 4}},
        // Chosen, passed on, and compared.
        {"int sum_of(const int* p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }\n"
         "kernel void f(global int* out) { local int t[2]; const int i = get_global_id(0);\n"
         " t[0] = 5; t[1] = 6; out[i] = i; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " int* p = i ? t : out; const int sum = sum_of(p, 2);\n"
         " barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " out[i] = sum * 10 + sum_of(t, 1) + (p == t) + (p == out) * 2; }",
         "17 116",
         {2, 2, 2}},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, Mul24TakesWhatGetGlobalIdGives) {
    expect(
        {"kernel void f(global int* out) { const size_t i = get_global_id(0);\n"
         " out[i] = mul24(i, 3) + mad24(get_local_size(0), 2, i) + mul24((long)-2, 1); }",
         "6 10 14 18",
         {4, 4, 4}});
}

}  // namespace

// What OpenCL C says, run: each small kernel's results are worked out by the specification.
// Control flow, functions, atomics and work-items together.
namespace {

TEST(Language, Atomics) {
    static constexpr Doing kAll[] = {
        {"int", "out[1] = atomic_add(out, 5); out[2] = atomic_add(out, 2);", "7 0 5"},
        {"int", "out[0] = 5; out[1] = atomic_sub(out, 7);", "-2 5"},
        {"int", "out[0] = 5; out[1] = atomic_xchg(out, 7);", "7 5"},
        {"int", "out[1] = atomic_inc(out); out[2] = atomic_inc(out);", "2 0 1"},
        {"uint", "out[1] = atomic_dec(out);", "4294967295 0"},
        {"int",
         "out[0] = 5; out[1] = atomic_cmpxchg(out, 5, 9); out[2] = atomic_cmpxchg(out, 5, 1);",
         "9 5 9"},
        {"int", "out[0] = -5; out[1] = atomic_min(out, 3); out[2] = atomic_max(out, 3);",
         "3 -5 -5"},
        {"uint", "out[0] = -5; out[1] = atomic_min(out, 3u); out[2] = atomic_max(out, 7u);",
         "7 4294967291 3"},
        {"int",
         "out[0] = 12; out[1] = atomic_and(out, 6); out[2] = atomic_or(out, 3);"
         "out[3] = atomic_xor(out, 5);",
         "2 12 4 7"},
        {"float", "out[0] = 1.5f; out[1] = atomic_xchg(out, 2.5f);", "2.5 1.5"},
        {"long", "out[1] = atom_add(out, 1L << 40); out[2] = atom_inc(out);",
         "1099511627777 0 1099511627776"},
        {"ulong", "out[0] = 3; out[1] = atom_cmpxchg(out, 3UL, ULONG_MAX);",
         "18446744073709551615 3"},
        {"int", "local int n; n = 4; out[0] = atomic_add(&n, 3); out[1] = n;", "4 7"},
        {"int", "atomic_add(&out[1], 2); atomic_inc(out + 1);", "0 3"},
    };
    expect(kAll);
}

// Four work-items in one warp, each on its own way.
TEST(Language, DivergentControlFlow) {
    static const std::vector<Doing> all{
        {"int", "if (i % 2) r = 1; else r = 2;", "2 1 2 1"},
        {"int", "if (i > 0) if (i > 2) r = 1; else r = 2;", "0 2 2 1"},
        {"int", "for (int k = 0; k < i; ++k) r += 10;", "0 10 20 30"},
        {"int", "while (1) { if (r >= i * 2) break; ++r; }", "0 2 4 6"},
        {"int", "for (int k = 0; k < 6; ++k) { if (k % 2 == i % 2) continue; r = r * 10 + k; }",
         "135 24 135 24"},
        {"int",
         "for (int a = 0; a < 3; ++a) for (int b = 0; b < 3; ++b) { if (b > a) break;"
         "if (a == i) continue; ++r; }",
         "5 4 3 6"},
        {"int", "int k = 0; do { if (++k == 2) continue; r += k; } while (k < 4 + i);",
         "8 13 19 26"},
        {"int", "do ++r; while (r < i);", "1 1 2 3"},
        {"int", "do { if (i == 1) break; r = 5; } while (0);", "5 0 5 5"},
        {"int", "switch (i) { case 0: r = 5; break; case 2: r = 7; }", "5 0 7 0"},
        {"int",
         "switch (i) { case 0: ++r; case 1: r += 10; case 2: r += 100; break; case 3: r = 1; }",
         "111 110 100 1"},
        {"int",
         "switch (i) { case 0: r += 1; default: r += 10; case 1: r += 100; break;"
         "case 2: r += 1000; }",
         "111 100 1000 110"},
        {"int", "switch (i - 2) { case -1: r = 1; break; case -2: r = 2; break; default: r = 3; }",
         "2 1 3 3"},
        {"int", "switch ((uchar)(i + 254)) { case 254: r = 1; break; case 0: r = 2; break; }",
         "1 0 2 0"},
        {"int", "switch (i) { default: r = 4; }", "4 4 4 4"},
        {"int", "switch (i) { r = 9; }", "0 0 0 0"},
        {"int",
         "for (int k = 0; k < 4; ++k) { switch (k + i) { case 2: continue; case 4: break;"
         "default: r += 10; } ++r; }",
         "33 23 23 34"},
        {"int",
         "switch (i) { case 1: switch (r) { case 0: r = 8; break; } r += 1; break;"
         "case 2: { r = 3; break; } }",
         "0 9 3 0"},
        {"int", "if (i == 2) { out[i] = 7; return; } r = 1;", "1 1 7 1"},
        {"int",
         "for (int k = 0;; ++k) { if (k == i) { out[i] = k * 10; return; } if (k == 2) break; }"
         "r = 5;",
         "0 10 20 5"},
        {"int", "switch (i) { case 1: out[i] = 9; return; case 2: r = 2; } ++r;", "1 9 3 1"},
        {"int", "r = i < 2 ? i == 0 ? 5 : 6 : i == 2 ? 7 : 8;", "5 6 7 8"},
        {"int", "int x = 0; r = i > 1 && ++x; r = r * 10 + x;", "0 0 11 11"},
        {"int", "int x = 0, y = 0; i % 2 ? x++ : (y += 2); r = x * 10 + y;", "2 10 2 10"},
        {"int", "int a[4]; a[i] = i; a[3 - i] = 5; r = a[i] + a[3 - i];", "5 6 7 8"},
        {"int", "for (int k = 0, j = 4; k < j; ++k, --j) r += j - k + i;", "6 8 10 12"},
        {"int", "for (;;) { for (;;) { if (r == i) break; ++r; } if (r == i) break; } r += 1;",
         "1 2 3 4"},
    };
    for (const Doing& doing : all) {
        const std::string text = kernel_of(
            "int", fmt::format("const int i = get_global_id(0); int r = 0; {} out[i] = r;",
                               doing.statements));
        for (const std::uint32_t lanes : {1U, 2U, 4U})
            EXPECT_EQ(outcome(text, 4, {4, 4, lanes}), doing.gives) << doing.statements;
    }
}

TEST(Language, Functions) {
    static const std::vector<Program> all{
        {"int first(int i) { for (int k = 0; k < 9; ++k) if (k * k >= i) return k; return -1; }\n"
         "kernel void f(global int* out) { const int i = get_global_id(0); out[i] = first(i * 3); "
         "}",
         "0 2 3 3",
         {4, 4, 4}},
        {"void swap(int* a, int* b) { const int t = *a; *a = *b; *b = t; }\n"
         "kernel void f(global int* out) { int x = 1, y = 2; swap(&x, &y); out[0] = x; out[1] = y;"
         " int a[2] = {3, 4}; swap(a, a + 1); out[2] = a[0]; out[3] = a[1]; }",
         "2 1 4 3"},
        {"int sum(local const int* p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }\n"
         "kernel void f(global int* out) { local int a[4]; const int i = get_local_id(0);"
         " a[i] = i + 1; barrier(CLK_LOCAL_MEM_FENCE); out[i] = sum(a, i + 1); }",
         "1 3 6 10",
         {4, 4, 2}},
        {"typedef struct { int a, b; } P;\n"
         "P twice(P p) { p.a *= 2; p.b *= 2; return p; }\n"
         "kernel void f(global int* out) { P x = {1, 2}; P y = twice(x); out[0] = x.a; out[1] = "
         "y.a;"
         " out[2] = twice(twice(y)).b; x = twice(y); out[3] = x.b; }",
         "1 2 16 8"},
        {"int count(int x) { x += 1; return x; }\n"
         "kernel void f(global int* out) { int x = 1; out[0] = count(x) + count(count(x)); "
         "out[1] = x; }",
         "5 1"},
        {"float4 half_of(float4 v) { return v * 0.5f; }\n"
         "kernel void f(global float* out) { float4 v = (float4)(1, 2, 3, 4);"
         " vstore2(half_of(v).yw, 0, out); }",
         "1 2"},
        {"int later(int x);\nkernel void g(global int* out) { out[0] = later(3); }\n"
         "int later(int y) { return y + 4; }",
         "7"},
        {"char narrow(int x) { return x; }\n"
         "kernel void f(global int* out) { out[0] = narrow(300); }",
         "44"},
        {"int wide(uchar x) { return x; }\n"
         "kernel void f(global int* out) { out[0] = wide(-1); }",
         "255"},
        {"bool odd(int x) { return x & 1; }\n"
         "kernel void f(global int* out) { out[0] = odd(3) + odd(4) + odd(7); }",
         "2"},
        {"constant int kTable[2][2] = {{1, 2}, {3, 4}};\nconstant float kHalf = 1.0f / 2;\n"
         "int at(constant int* p, int i) { return p[i]; }\n"
         "kernel void f(global int* out) { out[0] = kTable[1][0]; out[1] = at(kTable[1], 1);"
         " out[2] = 8 * kHalf; }",
         "3 4 4"},
        {"void set(global int* p, int v) { if (v > 2) return; *p = v; }\n"
         "kernel void f(global int* out) { const int i = get_global_id(0); set(out + i, i + 1); }",
         "1 2 0 0",
         {4, 4, 4}},
        {"int inner(int i) { while (true) { if (i > 5) return i; i += 3; } }\n"
         "int outer(int i) { if (i == 2) return 0; return inner(i) + 100; }\n"
         "kernel void f(global int* out) { const int i = get_global_id(0);"
         " for (int k = 0; k < 2; ++k) out[i] += outer(i + k); }",
         "213 107 106 213",
         {4, 4, 4}},
        {"kernel void f(global int* out) { local int a[4]; const int i = get_local_id(0);"
         " a[i] = i; barrier(CLK_LOCAL_MEM_FENCE); out[i] = a[3 - i]; }",
         "3 2 1 0",
         {4, 4, 1}},
    };
    for (const Program& program : all)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// What kernels that one finds in public write.
// As Clang takes them.
TEST(Language, ConstNumbersAreConstants) {
    EXPECT_EQ(
        outcome(
            "constant int kFour = 4, kFive = kFour + 1; constant float kHalf = 0.5f, kOne = "
            "kHalf * 2;\n"
            "enum { kSix = kFive + 1 }; constant int4 kAll = (int4)(kFour, kFive, kSix, 7);\n"
            "typedef struct Node Node; struct Node { int value; global Node* next; };\n"
            "kernel void k(global int* out) { const int two = 2; local int t[kFour * two];\n"
            "  t[7] = 3; switch (out[0]) { case kFour: t[7] = 1; break; case two - two: ++t[7]; "
            "}\n"
            "  switch (out[1]) case 0: case 7: out[2] = 0b101; switch (out[1]) ++out[2];\n"
            "  Node node = {kSix, 0}; out[0] = sizeof(t); out[1] = t[7] + node.value;\n"
            "  out[3] = kOne + kAll.y; }",
            4, {1, 1}),
        "32 10 5 6");
}

TEST(Language, Idioms) {
    static const std::vector<Program> all{
        {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
         "static inline int helper(int x) { return x; }\n"
         "constant float kLeast = -INFINITY; constant float4 kV = (float4)(1, 2, 3, 4);\n"
         "constant struct { int a; float b[2]; } kS = {1, {2, 3}};\n"
         "kernel void f(global float* out) {\n"
         "  int a[2] = {1, 2}, *p = a;\n"
         "  __attribute__((opencl_unroll_hint(2)))\n"
         "  for (int i = 0, *q = a; i < 2; ++i) out[i] = q[i] + kV.y;\n"
         "  #pragma unroll\n"
         "  for (int i = 0; i < 2; ++i) out[i + 2] = p[i] * kS.b[1];\n"
         "  out[4] = kLeast; out[5] = helper((int)-1); do ; while (0); (void)0;\n"
         "}",
         "3 4 3 6 -inf -1"},
        {"#ifndef T\n#define T float\n#endif\n#define STEP(w) if (i < w) buf[i] += buf[i + w]\n"
         "__kernel void f(__global T* restrict out) {\n"
         "  volatile __local T buf[8]; const uint i = get_local_id(0); buf[i] = i;\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  if (i < 4) { STEP(4); STEP(2); STEP(1); }\n"
         "  if (i == 0) out[get_group_id(0)] = buf[0];\n"
         "}",
         "28 28",
         {16, 8, 4}},
        {"void add(volatile global float* to, float x) {\n"
         "  union { uint i; float f; } was, now;\n"
         "  do { was.f = *to; now.f = was.f + x; }\n"
         "  while (atomic_cmpxchg((volatile global uint*)to, was.i, now.i) != was.i);\n"
         "}\n"
         "kernel void f(global float* out) { add(out, get_global_id(0) + 0.5f); }",
         "8",
         {4, 4, 4}},
        {"typedef struct { int value; uint index; } best_t;\n"
         "best_t better(best_t a, best_t b) { if (b.value > a.value) return b; return a; }\n"
         "kernel void f(global int* out) {\n"
         "  local best_t all[4]; const int i = get_local_id(0); const best_t own = {i * 5 % 7, "
         "i};\n"
         "  all[i] = own; barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  for (int w = 2; w > 0; w >>= 1) {\n"
         "    if (i < w) all[i] = better(all[i], all[i + w]);\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  }\n"
         "  if (i == 0) { out[0] = all[0].value; out[1] = all->index; }\n"
         "}",
         "5 1",
         {4, 4, 4}},
        {"typedef struct { int a; float b; } P;\n"
         "kernel void f(global int* out) { local P l[2]; P s = {1, 2.5f}, t; t = l[1] = s;\n"
         "  l[0] = t = l[1]; out[0] = t.a; out[1] = (l[1] = t, l[0]).b * 2; out[2] = (l[0] = s).a; "
         "}",
         "1 5 1"},
    };
    for (const Program& program : all)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(Language, WorkItems) {
    const auto each = [](const std::string& expression, Items items = {6, 3, 4}) {
        return outcome(kernel_of("int", "out[get_global_id(0)] = " + expression + ";"),
                       items.global, items);
    };
    EXPECT_EQ(each("get_global_id(0)"), "0 1 2 3 4 5");
    EXPECT_EQ(each("get_local_id(0)"), "0 1 2 0 1 2");
    EXPECT_EQ(each("get_group_id(0)"), "0 0 0 1 1 1");
    EXPECT_EQ(each("get_global_size(0) * 100 + get_local_size(0) * 10 + get_num_groups(0)"),
              "632 632 632 632 632 632");
    EXPECT_EQ(each("get_global_linear_id() * 10 + get_local_linear_id()"), "0 11 22 30 41 52");
    // There is one dimension: the others are one item wide.
    EXPECT_EQ(each("get_work_dim()"), "1 1 1 1 1 1");
    for (const char* dimension : {"1", "2", "get_work_dim()", "1 + get_local_id(0)"}) {
        const auto of = [&](const char* what) { return fmt::format("{}({})", what, dimension); };
        EXPECT_EQ(each(of("get_global_id")), "0 0 0 0 0 0");
        EXPECT_EQ(each(of("get_local_id")), "0 0 0 0 0 0");
        EXPECT_EQ(each(of("get_group_id")), "0 0 0 0 0 0");
        EXPECT_EQ(each(of("get_global_size")), "1 1 1 1 1 1");
        EXPECT_EQ(each(of("get_local_size")), "1 1 1 1 1 1");
        EXPECT_EQ(each(of("get_num_groups")), "1 1 1 1 1 1");
        EXPECT_EQ(each(of("get_global_offset")), "0 0 0 0 0 0");
    }
    EXPECT_EQ(each("get_global_offset(0)"), "0 0 0 0 0 0");
}

// Six work-items in warps of four: the last one has two.
TEST(Language, SubGroupsWithAPartialLastOne) {
    const auto each = [](const std::string& expression) {
        return outcome(
            kernel_of("int", "const int i = get_local_id(0); out[i] = " + expression + ";"), 6,
            {6, 6, 4});
    };
    EXPECT_EQ(each("get_sub_group_size()"), "4 4 4 4 2 2");
    EXPECT_EQ(each("get_max_sub_group_size()"), "4 4 4 4 4 4");
    EXPECT_EQ(each("get_num_sub_groups()"), "2 2 2 2 2 2");
    EXPECT_EQ(each("get_sub_group_id()"), "0 0 0 0 1 1");
    EXPECT_EQ(each("get_sub_group_local_id()"), "0 1 2 3 0 1");
    EXPECT_EQ(each("sub_group_reduce_add(i)"), "6 6 6 6 9 9");
    EXPECT_EQ(each("sub_group_reduce_min(i)"), "0 0 0 0 4 4");
    EXPECT_EQ(each("sub_group_reduce_max(-i)"), "0 0 0 0 -4 -4");
    EXPECT_EQ(each("sub_group_scan_inclusive_add(i)"), "0 1 3 6 4 9");
    EXPECT_EQ(each("sub_group_scan_exclusive_add(i)"), "0 0 1 3 0 4");
    EXPECT_EQ(each("sub_group_scan_exclusive_max(i)"), "-2147483648 0 1 2 -2147483648 4");
    EXPECT_EQ(each("sub_group_broadcast(i, 1)"), "1 1 1 1 5 5");
    EXPECT_EQ(each("sub_group_any(i == 4)"), "0 0 0 0 1 1");
    EXPECT_EQ(each("sub_group_all(i < 4)"), "1 1 1 1 0 0");
    EXPECT_EQ(each("sub_group_shuffle(i, 0)"), "0 0 0 0 4 4");
    EXPECT_EQ(each("sub_group_shuffle_xor(i, 1)"), "1 0 3 2 5 4");
}

TEST(Language, WorkGroupCollectives) {
    const auto each = [](const std::string& expression, std::uint32_t lanes) {
        return outcome(
            kernel_of("int", "const int i = get_local_id(0); out[i] = " + expression + ";"), 6,
            {6, 6, lanes});
    };
    for (const std::uint32_t lanes : {1U, 4U, 32U}) {
        EXPECT_EQ(each("work_group_reduce_add(i)", lanes), "15 15 15 15 15 15");
        EXPECT_EQ(each("work_group_reduce_min(i - 2)", lanes), "-2 -2 -2 -2 -2 -2");
        EXPECT_EQ(each("work_group_reduce_max((uint)i)", lanes), "5 5 5 5 5 5");
        EXPECT_EQ(each("work_group_reduce_add(i * 0.5f)", lanes), "7 7 7 7 7 7");
        EXPECT_EQ(each("work_group_scan_inclusive_add(i)", lanes), "0 1 3 6 10 15");
        EXPECT_EQ(each("work_group_scan_exclusive_add(i)", lanes), "0 0 1 3 6 10");
        EXPECT_EQ(each("work_group_scan_inclusive_max(5 - i)", lanes), "5 5 5 5 5 5");
        EXPECT_EQ(each("work_group_scan_exclusive_min(5 - i)", lanes), "2147483647 5 4 3 2 1");
        EXPECT_EQ(each("work_group_broadcast(i * 2, 4)", lanes), "8 8 8 8 8 8");
        EXPECT_EQ(each("work_group_any(i == 5) * 10 + work_group_all(i == 5)", lanes),
                  "10 10 10 10 10 10");
    }
}

// Whom a broadcast takes its value from is the same for all, and there.
TEST(Language, BroadcastsOfSeveralValuesAndOfNoneAreFaults) {
    const auto each = [](const std::string& expression) {
        return outcome(
            kernel_of("int", "const int i = get_local_id(0); out[i] = " + expression + ";"), 6,
            {6, 6, 4});
    };
    for (const std::string name : {"work_group", "sub_group", "sub_group_non_uniform"})
        EXPECT_EQ(
            each(name + "_broadcast(i, i / 2 & 1)"),
            "fault: In line 1 work-item 2 asks for the value of number 1, but work-item 0 for "
            "that of number 0");
    EXPECT_EQ(each("work_group_broadcast(i, 6)"),
              "fault: In line 1 work-item 0 asks for the value of number 6, but there are 6");
    EXPECT_EQ(each("sub_group_broadcast(i, 2)"),
              "fault: In line 1 work-item 4 asks for the value of number 2, but there are 2");
    // That gives anything, as a shuffle does.
    EXPECT_EQ(each("sub_group_non_uniform_broadcast(i, 2)"), "2 2 2 2 4 5");
}

TEST(Language, DivisionByZeroIsAFault) {
    for (const char* text : {"out[0] = 1 / out[1];", "out[0] = 1 % out[1];", "out[0] /= out[1];",
                             "out[0] = (int)(5UL / (ulong)out[1]);"})
        EXPECT_EQ(outcome(kernel_of("int", text), 2),
                  "fault: Work-item 0 divides an integer by zero");
}

}  // namespace
}  // namespace lab::machine
