// What OpenCL C says, run: each small kernel's results are worked out by the specification.
// Floats, vectors, arrays and structures.
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
        {"double", "fmax(1.0, 2.0f)", "2"},
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
}  // namespace lab::machine
