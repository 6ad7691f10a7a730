// The types and constant values of expressions, by OpenCL C 1.2 (sections 6.1 to 6.3 and 6.12).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>

#include "lang/text/compile.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

// One variable of each type, named by it.
constexpr const char* kBefore = R"(
typedef uint number;
enum color { RED, GREEN = 4, BLUE };
struct S { int a; float f; struct { char c; }; int arr[3]; };
union U { float f; int i; uchar bytes[4]; };
int twice(int x);
float4 shade(struct S s);
struct S made(void);
kernel void f(global int* gi, global const float* gf, local uint* lu, constant uchar* cc) {
    bool b; char c; uchar uc; short s; ushort us; int i; uint ui; long l; ulong ul;
    float f; double d; number n; enum color e; size_t z;
    int2 i2; int4 i4; uint4 ui4; char4 c4; uchar4 uc4; short4 s4; long2 l2; int16 i16;
    float2 f2; float3 f3; float4 f4; float8 f8; double2 d2;
    int arr[5]; int grid[2][3]; float4 quads[2]; int* p; const int* pc; int** pp; void* pv;
    struct S st; struct S* ps; global struct S* gs; union U un;
)";

const Expression* expression_of(const Compiled& made) {
    const FunctionDefinition* kernel = made.tree ? made.tree->find("f") : nullptr;
    if (kernel == nullptr || kernel->body == nullptr) return nullptr;
    return kernel->body->statements.back()->condition;
}

Compiled typed(const std::string& expression) {
    return compile({"k.cl", fmt::format("{}    {};\n}}\n", kBefore, expression), ""});
}

std::string type_of(const std::string& expression) {
    const Compiled made = typed(expression);
    const Expression* of = expression_of(made);
    if (of == nullptr || of->type == nullptr) return text_of(made.diagnostics, made.sources);
    return of->type->name;
}

struct Typed {
    const char* expression;
    const char* type;
};

void check(std::span<const Typed> all) {
    for (const Typed& of : all)
        EXPECT_EQ(type_of(of.expression), of.type) << of.expression;
}

TEST(Typing, Literals) {
    static constexpr Typed kAll[] = {
        {"1", "int"},
        {"1u", "uint"},
        {"1U", "uint"},
        {"1L", "long"},
        {"1l", "long"},
        {"1UL", "ulong"},
        {"1lu", "ulong"},
        {"2147483647", "int"},
        {"2147483648", "long"},
        {"4294967295", "long"},
        {"4294967296u", "ulong"},
        {"0x7fffffff", "int"},
        {"0x80000000", "uint"},  // of hexadecimal and octal numbers the unsigned type comes first
        {"0xffffffff", "uint"},
        {"0x100000000", "long"},
        {"0x8000000000000000", "ulong"},
        {"0xffffffffL", "long"},
        {"037777777777", "uint"},
        {"0", "int"},
        {"1.0", "double"},
        {"1.", "double"},
        {".5f", "float"},
        {"1.0f", "float"},
        {"1e3", "double"},
        {"1E-3F", "float"},
        {"0x1p3", "double"},
        {"0x1.8p3f", "float"},
        {"'a'", "int"},
        {"'\\n'", "int"},
        {"true", "int"},
        {"M_PI", "double"},
        {"M_PI_F", "float"},
        {"INFINITY", "float"},
        {"UINT_MAX", "uint"},
        {"LONG_MIN", "long"},
        {"sizeof(int)", "ulong"},
    };
    check(kAll);
}

TEST(Typing, Scalars) {
    static constexpr Typed kAll[] = {
        {"b + b", "int"},
        {"c + c", "int"},
        {"uc + uc", "int"},
        {"s * us", "int"},
        {"us / us", "int"},
        {"-c", "int"},
        {"+uc", "int"},
        {"~us", "int"},
        {"-ui", "uint"},
        {"-l", "long"},
        {"-f", "float"},
        {"!c", "int"},
        {"!f", "int"},
        {"!l", "int"},
        {"!p", "int"},
        {"i + ui", "uint"},
        {"us + ui", "uint"},
        {"l + ui", "long"},
        {"ui * l", "long"},
        {"l - ul", "ulong"},
        {"i % l", "long"},
        {"z + 1", "ulong"},
        {"n + 1", "uint"},
        {"e + 1", "int"},
        {"RED", "int"},
        {"GREEN | 1u", "uint"},
        {"f + i", "float"},
        {"ul * f", "float"},
        {"f + d", "double"},
        {"1.0 * f", "double"},
        {"c & uc", "int"},
        {"l ^ i", "long"},
        {"i < ui", "int"},
        {"f == d", "int"},
        {"l >= l", "int"},
        {"p == 0", "int"},
        {"0 != gi", "int"},
        {"gi < gi", "int"},
        {"i && f", "int"},
        {"p || l", "int"},
        {"c << l", "int"},
        {"l << c", "long"},
        {"ui >> ul", "uint"},
        {"uc << 1", "int"},
        {"i ? 1 : 2u", "uint"},
        {"i ? c : c", "int"},
        {"i ? s : f", "float"},
        {"f ? 1 : 1L", "long"},
        {"i, f", "float"},
        {"c = 300", "char"},
        {"f = i", "float"},
        {"b = f", "bool"},
        {"i += 1.5", "int"},
        {"uc <<= 2", "uchar"},
        {"c++", "char"},
        {"--ul", "ulong"},
        {"(char)i", "char"},
        {"(number)f", "uint"},
        {"(unsigned)i", "uint"},
        {"(unsigned char)i", "uchar"},
        {"(long int)i", "long"},
        {"(unsigned long)i", "ulong"},
        {"(signed short)i", "short"},
        {"(void)i", "void"},
        {"twice(c)", "int"},
    };
    check(kAll);
}

TEST(Typing, Vectors) {
    static constexpr Typed kAll[] = {
        {"i4 + i4", "int4"},
        {"i4 + 1", "int4"},
        {"1 - i4", "int4"},
        {"uc4 + 1", "uchar4"},  // no promotion within vectors
        {"c4 * c4", "char4"},
        {"c4 + c", "char4"},
        {"f4 * 2", "float4"},
        {"f4 * f", "float4"},
        {"f4 * 2.0", "float4"},  // a constant
        {"i / f4", "float4"},
        {"-c4", "char4"},
        {"~uc4", "uchar4"},
        {"i4 % 3", "int4"},
        {"i4 < i4", "int4"},
        {"ui4 <= 1", "int4"},
        {"f4 == f4", "int4"},
        {"uc4 != uc4", "char4"},
        {"s4 > 1", "short4"},
        {"d2 >= d2", "long2"},
        {"l2 == 0", "long2"},
        {"!f4", "int4"},
        {"!uc4", "char4"},
        {"!d2", "long2"},
        {"i4 && i4", "int4"},
        {"i4 || 1", "int4"},
        {"uc4 && uc4", "char4"},
        {"d2 && d2", "long2"},
        {"i4 << i", "int4"},
        {"i4 << ui4", "int4"},
        {"c4 >> c4", "char4"},
        {"i ? f4 : f4", "float4"},
        {"i4 ? f4 : f4", "float4"},
        {"i4 ? i : i", "int4"},
        {"i4 ? f4 : 1", "float4"},
        {"c4 ? uc4 : uc4", "uchar4"},
        {"d2 > d2 ? d2 : d2", "double2"},
        {"f4 = 1", "float4"},
        {"f4 *= f", "float4"},
        {"i4 |= 3", "int4"},
        {"i4++", "int4"},
        {"(float4)(1)", "float4"},
        {"(float4)(f2, f2)", "float4"},
        {"(float4)(f3, 1)", "float4"},
        {"(int2)(1, 2.5f)", "int2"},
        {"(int4)i", "int4"},
        {"f4.x", "float"},
        {"f4.xy", "float2"},
        {"f4.xyz", "float3"},
        {"f4.wzyx", "float4"},
        {"f4.xxxx", "float4"},
        {"f4.s0", "float"},
        {"f4.S3", "float"},
        {"f4.s01", "float2"},
        {"f8.s7", "float"},
        {"f8.lo", "float4"},
        {"f8.hi.hi", "float2"},
        {"f8.even", "float4"},
        {"f8.odd.y", "float"},
        {"f3.lo", "float2"},
        {"f3.hi", "float2"},
        {"f2.even", "float"},
        {"i16.sF", "int"},
        {"i16.sa", "int"},
        {"i16.SaBcDeF01", "int8"},
        {"i16.s0123456789abcdef", "int16"},
        {"quads[1].zw", "float2"},
        {"shade(st).xy", "float2"},
    };
    check(kAll);
}

TEST(Typing, PointersArraysAndStructures) {
    static constexpr Typed kAll[] = {
        {"&i", "int*"},
        {"&gi[1]", "global int*"},
        {"*gi", "int"},
        {"gi + 1", "global int*"},
        {"1 + gi", "global int*"},
        {"gi - 1", "global int*"},
        {"gi - gi", "long"},
        {"gf + l", "global const float*"},
        {"gf[i]", "float"},
        {"i[gf]", "float"},
        {"lu + 1", "local uint*"},
        {"cc", "constant const uchar*"},
        {"cc[0] + 1", "int"},
        {"gi++", "global int*"},
        {"p += 2", "int*"},
        {"p = 0", "int*"},
        {"pc = p", "const int*"},
        {"pv = p", "void*"},
        {"*pp", "int*"},
        {"**pp", "int"},
        {"&p", "int**"},
        {"i ? p : 0", "int*"},
        {"i ? 0 : gi", "global int*"},
        {"i ? pc : p", "const int*"},
        {"(long)p", "long"},
        {"(int*)l", "int*"},
        {"(global char*)gi", "global char*"},
        {"(float4*)pv", "float4*"},
        {"arr", "int[5]"},
        {"arr + 0", "int*"},
        {"*arr", "int"},
        {"&arr[1]", "int*"},
        {"grid", "int[2][3]"},
        {"grid[0]", "int[3]"},
        {"grid[0] + 1", "int*"},
        {"*grid", "int[3]"},
        {"**grid", "int"},
        {"grid[1][2]", "int"},
        {"&grid[1]", "int[3]*"},
        {"i ? arr : p", "int*"},
        {"st", "struct S"},
        {"st.a", "int"},
        {"st.f", "float"},
        {"st.c", "char"},
        {"st.arr", "int[3]"},
        {"st.arr + 1", "int*"},
        {"&st.a", "int*"},
        {"ps->arr[1]", "int"},
        {"(*ps).f", "float"},
        {"&gs->arr[1]", "global int*"},
        {"gs[2].c", "char"},
        {"&gs[2]", "global struct S*"},
        {"un.f", "float"},
        {"un.bytes[0]", "uchar"},
        {"st = *ps", "struct S"},
        {"made().a", "int"},
    };
    check(kAll);
}

TEST(Typing, BuiltInFunctions) {
    static constexpr Typed kAll[] = {
        {"get_global_id(0)", "ulong"},
        {"get_local_size(0)", "ulong"},
        {"get_work_dim()", "uint"},
        {"get_sub_group_size()", "uint"},
        {"abs(i)", "uint"},
        {"abs(c4)", "uchar4"},
        {"abs(ul)", "ulong"},
        {"abs_diff(l, l)", "ulong"},
        {"add_sat(c, c)", "char"},
        {"hadd(us, us)", "ushort"},
        {"min(c, c)", "char"},
        {"min(i, ui)", "uint"},
        {"max(f4, f)", "float4"},
        {"max(i4, 1)", "int4"},
        {"clamp(i, 0, 1)", "int"},
        {"clamp(f4, 0.0f, 1.0f)", "float4"},
        {"mul_hi(uc, uc)", "uchar"},
        {"mad_sat(s, s, s)", "short"},
        {"rotate(uc4, uc4)", "uchar4"},
        {"clz(l)", "long"},
        {"popcount(s)", "short"},
        {"mad24(i, i, i)", "int"},
        {"mul24(ui, ui)", "uint"},
        {"upsample(c, uc)", "short"},
        {"upsample(uc, uc)", "ushort"},
        {"upsample(s, us)", "int"},
        {"upsample(i4, ui4)", "long4"},
        {"isnan(f)", "int"},
        {"isnan(f4)", "int4"},
        {"isnan(d)", "int"},
        {"isnan(d2)", "long2"},
        {"isless(f4, f4)", "int4"},
        {"signbit(f)", "int"},
        {"any(i4)", "int"},
        {"all(c4)", "int"},
        {"select(f4, f4, i4)", "float4"},
        {"select(l, l, ul)", "long"},
        {"select(uc4, uc4, c4)", "uchar4"},
        {"bitselect(f, f, f)", "float"},
        {"sqrt(f)", "float"},
        {"sqrt(d)", "double"},
        {"native_sqrt(f4)", "float4"},
        {"pow(f4, f4)", "float4"},
        {"fmax(f4, f)", "float4"},
        {"mix(f4, f4, f)", "float4"},
        {"step(f, f4)", "float4"},
        {"ldexp(f4, i4)", "float4"},
        {"ldexp(f4, i)", "float4"},
        {"pown(d, i)", "double"},
        {"ilogb(f4)", "int4"},
        {"ilogb(d)", "int"},
        {"nan(ui)", "float"},
        {"nan(ul)", "double"},
        {"frexp(f4, &i4)", "float4"},
        {"modf(f, &f)", "float"},
        {"dot(f4, f4)", "float"},
        {"dot(d2, d2)", "double"},
        {"vload4(0, gi)", "int4"},
        {"vload3(0, gf)", "float3"},
        {"vload16(0, cc)", "uchar16"},
        {"vstore4(i4, 0, gi)", "void"},
        {"shuffle(i4, ui4)", "int4"},
        {"shuffle2(f2, f2, ui4)", "float4"},
        {"atomic_add(gi, 1)", "int"},
        {"atomic_inc(lu)", "uint"},
        {"as_int(f)", "int"},
        {"as_uchar4(i)", "uchar4"},
        {"as_float3(i4)", "float3"},
        {"convert_int4_sat_rte(f4)", "int4"},
        {"convert_float(ul)", "float"},
        {"barrier(CLK_LOCAL_MEM_FENCE)", "void"},
        {"mem_fence(CLK_GLOBAL_MEM_FENCE)", "void"},
        {"work_group_reduce_add(c)", "int"},
        {"work_group_scan_inclusive_min(f)", "float"},
        {"sub_group_broadcast(d, 0)", "double"},
        {"work_group_any(i)", "int"},
        {"sub_group_shuffle(ul, 1)", "ulong"},
    };
    check(kAll);
}

struct Known {
    const char* expression;
    std::optional<std::int64_t> value;
};

TEST(Typing, Constants) {
    static constexpr Known kAll[] = {
        {"sizeof(float3)", 16},
        {"sizeof(char3)", 4},
        {"sizeof(bool)", 1},
        {"sizeof(i16)", 64},
        {"sizeof i16.s01", 8},
        {"sizeof arr", 20},
        {"sizeof grid", 24},
        {"sizeof grid[0]", 12},
        {"sizeof(grid) / sizeof grid[0][0]", 6},
        {"sizeof gi", 8},
        {"sizeof *gi", 4},
        {"sizeof st", 24},
        {"sizeof st.arr", 12},
        {"sizeof(union U)", 4},
        {"sizeof(struct { char a; double b; })", 16},
        {"sizeof(struct { int3 a; char b; })", 32},
        {"sizeof(union { char a[5]; int b; })", 8},
        {"sizeof(int[3])", 12},
        {"sizeof(int*)", 8},
        {"sizeof(c + c)", 4},
        {"sizeof(c ? c : c)", 4},
        {"sizeof 'a'", 4},
        {"sizeof(1.0f + 1.0)", 8},
        {"sizeof(size_t)", 8},
        {"sizeof(enum color)", 4},
        {"-7 / 2", -3},
        {"5 % -3", 2},
        {"1 + 2 * 3", 7},
        {"0x80000000 >> 31", 1},
        {"1 << 33", 2},
        {"-1 >> 31", -1},
        {"LONG_MIN >> 63", -1},
        {"INT_MAX + 1", -2147483648},
        {"UINT_MAX + 1", 0},
        {"-1 < 0u", 0},
        {"-1L < 0u", 1},
        {"(uchar)300", 44},
        {"(char)200", -56},
        {"(uint)-1", 4294967295},
        {"(bool)0.5f", 1},
        {"(int)3.9f", 3},
        {"(int)(1.5f * 2)", 3},
        {"(int)(1.0f / 4 * 8)", 2},
        {"1.0f < 2.0", 1},
        {"~0", -1},
        {"!5", 0},
        {"'a' - 'A'", 32},
        {"'\\xff'", -1},
        {"'\\0'", 0},
        {"GREEN | BLUE", 5},
        {"1 ? 2 : 1 / 0", 2},
        {"0 && 1 / 0", 0},
        {"1 || 1 / 0", 1},
        {"2 && 3", 1},
        {"0x7 & 3 ^ 1 | 8", 10},
        {"as_int(1.0f)", 0x3f800000},
        {"as_int(-INFINITY) == as_int(0xff800000)", 1},
        {"as_uint(-1)", 4294967295},
        {"1 / 0", std::nullopt},
        {"1 % 0", std::nullopt},
        {"i + 1", std::nullopt},
        {"arr[0]", std::nullopt},
        {"twice(1)", std::nullopt},
    };
    for (const Known& of : kAll) {
        const Compiled made = typed(of.expression);
        const Expression* found = expression_of(made);
        ASSERT_NE(found, nullptr) << of.expression;
        const auto bits = constant_of(*found);
        EXPECT_EQ(bits.has_value(), of.value.has_value()) << of.expression;
        EXPECT_EQ(static_cast<std::int64_t>(bits.value_or(0)), of.value.value_or(0))
            << of.expression;
    }
}

TEST(Typing, WhatCanBeAssignedTo) {
    for (const char* of : {"i", "arr[1]", "*p", "st.a", "f4.x", "f4.xy", "i16.s0a", "gi[0]", "un.f",
                           "(i)", "quads[1].x", "ps->arr[0]"})
        EXPECT_TRUE(expression_of(typed(of))->lvalue) << of;
    for (const char* of : {"i + 1", "1", "f4.xx", "i++", "(int)i", "&i", "made().a", "twice(1)",
                           "i = 1", "f2.xy + 1", "RED"})
        EXPECT_FALSE(expression_of(typed(of))->lvalue) << of;
    for (const char* of : {"gf[0]", "*pc", "cc[1]"})
        EXPECT_TRUE(expression_of(typed(of))->is_const) << of;
}

TEST(Typing, SpacesOfWhatIsPointedTo) {
    EXPECT_EQ(expression_of(typed("gi[0]"))->space, Space::global);
    EXPECT_EQ(expression_of(typed("gs->arr[1]"))->space, Space::global);
    EXPECT_EQ(expression_of(typed("*lu"))->space, Space::local);
    EXPECT_EQ(expression_of(typed("cc[2]"))->space, Space::constant);
    EXPECT_EQ(expression_of(typed("st.arr[0]"))->space, Space::private_);
}

}  // namespace
}  // namespace lab::lang
