// The types of calls, the values of constant expressions, and what can be assigned to.
#include <optional>

#include "support/typed_expressions.h"

namespace lab::lang {
namespace {

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
    for (const Known& known : kAll) {
        const Compiled compiled = typed(known.expression);
        const Expression* found = expression_of(compiled);
        ASSERT_NE(found, nullptr) << known.expression;
        const auto bits = constant_of(*found);
        EXPECT_EQ(bits.has_value(), known.value.has_value()) << known.expression;
        EXPECT_EQ(static_cast<std::int64_t>(bits.value_or(0)), known.value.value_or(0))
            << known.expression;
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
