// Every built-in function in the tables of the OpenCL C 1.2 specification, sections 6.12.1 to
// 6.12.13, and those of 2.0 and 3.0 that are here, called once: it compiles. Images are left out.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/builtins.h"
#include "lang/compile.h"
#include "support/typed_expressions.h"

namespace lab::lang {
namespace {

constexpr const char* kAround =
    "kernel void k(global int* gi, global long* gl, global uint* gu, global float* gf,\n"
    "              global float4* gv, global half* gh, local int* li, local float* lf, float f,\n"
    "              double d, int i, uint u, long l) {{\n"
    "    float4 v = (float4)(f); int4 w = (int4)(i); uint4 x = (uint4)(u); float fp; int ip; "
    "float4 vp;\n"
    "    int4 wp; char c = 1; uchar b = 2; event_t e = 0; float2 v2; float3 v3; float8 v8; float16 "
    "v16;\n"
    "    {};\n}}\n";

std::string errors_in(const std::string& statement) {
    const Compiled compiled = compile({"k.cl", fmt::format(kAround, statement), ""});
    return compiled.code ? std::string() : text_of(compiled.diagnostics, compiled.sources);
}

void expect_calls(std::span<const std::string_view> names, std::string_view arguments) {
    for (const std::string_view name : names)
        EXPECT_EQ(errors_in(fmt::format("{}({})", name, arguments)), "");
}

TEST(FunctionTables, WorkItems) {
    static constexpr std::string_view kAll[] = {
        "get_global_size", "get_global_id", "get_local_size",   "get_local_id",
        "get_num_groups",  "get_group_id",  "get_global_offset"};
    expect_calls(kAll, "0");
    EXPECT_EQ(errors_in("get_work_dim()"), "");
}

TEST(FunctionTables, Math) {
    static constexpr std::string_view kOne[] = {
        "acos",         "acosh",        "acospi",     "asin",        "asinh",
        "asinpi",       "atan",         "atanh",      "atanpi",      "cbrt",
        "ceil",         "cos",          "cosh",       "cospi",       "erfc",
        "erf",          "exp",          "exp2",       "exp10",       "expm1",
        "fabs",         "floor",        "ilogb",      "lgamma",      "log",
        "log2",         "log10",        "log1p",      "logb",        "rint",
        "round",        "rsqrt",        "sin",        "sinh",        "sinpi",
        "sqrt",         "tan",          "tanh",       "tanpi",       "tgamma",
        "trunc",        "half_cos",     "half_exp",   "half_exp2",   "half_exp10",
        "half_log",     "half_log2",    "half_log10", "half_recip",  "half_rsqrt",
        "half_sin",     "half_sqrt",    "half_tan",   "native_cos",  "native_exp",
        "native_exp2",  "native_exp10", "native_log", "native_log2", "native_log10",
        "native_recip", "native_rsqrt", "native_sin", "native_sqrt", "native_tan"};
    static constexpr std::string_view kTwo[] = {
        "atan2", "atan2pi",   "copysign",    "fdim",      "fmax",          "fmin",
        "fmod",  "hypot",     "maxmag",      "minmag",    "nextafter",     "pow",
        "powr",  "remainder", "half_divide", "half_powr", "native_divide", "native_powr"};
    static constexpr std::string_view kWithInt[] = {"ldexp", "pown", "rootn"};
    static constexpr std::string_view kThree[] = {"fma", "mad"};
    for (const char* each : {"f", "v", "v2", "v3", "v8", "v16"})
        expect_calls(kOne, each);
    for (const char* each : {"f, f", "v, v"})
        expect_calls(kTwo, each);
    for (const char* each : {"f, i", "v, w"})
        expect_calls(kWithInt, each);
    for (const char* each : {"f, f, f", "v, v, v", "d, d, d"})
        expect_calls(kThree, each);
    for (const char* each : {"fmax(v, f)",     "fmin(v, f)",        "fract(f, &fp)",
                             "fract(v, &vp)",  "frexp(f, &ip)",     "frexp(v, &wp)",
                             "ldexp(v, i)",    "lgamma_r(f, &ip)",  "lgamma_r(v, &wp)",
                             "modf(f, &fp)",   "modf(v, &vp)",      "nan(u)",
                             "nan(x)",         "remquo(f, f, &ip)", "remquo(v, v, &wp)",
                             "sincos(f, &fp)", "sincos(v, &vp)",    "sin(d)",
                             "fract(f, gf)",   "frexp(f, li)"})
        EXPECT_EQ(errors_in(each), "");
}

TEST(FunctionTables, IntegersAndCommon) {
    static constexpr std::string_view kOne[] = {"abs", "clz", "popcount"};
    static constexpr std::string_view kTwo[] = {"abs_diff", "add_sat", "hadd",   "rhadd",  "max",
                                                "min",      "mul_hi",  "rotate", "sub_sat"};
    static constexpr std::string_view kThree[] = {"clamp", "mad_hi", "mad_sat"};
    for (const char* each : {"i", "w", "c", "b", "u", "l"})
        expect_calls(kOne, each);
    for (const char* each : {"i, i", "w, w", "c, c", "l, l"})
        expect_calls(kTwo, each);
    for (const char* each : {"i, i, i", "x, x, x", "b, b, b"})
        expect_calls(kThree, each);
    static constexpr std::string_view kFloats[] = {"degrees", "radians", "sign"};
    for (const char* each : {"f", "v"})
        expect_calls(kFloats, each);
    for (const char* each :
         {"upsample(c, b)", "upsample(i, u)", "mad24(i, i, i)", "mul24(x, x)", "max(w, i)",
          "min(v, f)", "clamp(w, i, i)", "clamp(v, f, f)", "clamp(f, f, f)", "mix(v, v, f)",
          "mix(f, f, f)", "step(f, v)", "step(v, v)", "smoothstep(f, f, v)", "smoothstep(v, v, v)"})
        EXPECT_EQ(errors_in(each), "");
}

// What OpenCL's compilers choose among overloads: row by row the type of a, in the columns that of
// b, + where Clang 15 takes the call (-cl-std=CL3.0, with fp64), . where it is ambiguous to it. Of
// functions of a alone the only row has its types.
TEST(FunctionTables, OverloadsAreChosenAsCompilersDo) {
    static constexpr std::string_view kTypes[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                                  "uint", "long", "ulong", "float", "double"};
    struct Table {
        std::vector<std::string_view> functions;
        std::string_view arguments;
        std::vector<std::string_view> rows;
    };
    const Table kTables[] = {
        {{"acos",    "acosh",  "acospi",   "asin",  "asinh",    "asinpi", "atan",    "atanh",
          "atanpi",  "cbrt",   "ceil",     "cos",   "cosh",     "cospi",  "degrees", "erfc",
          "erf",     "exp",    "exp2",     "exp10", "expm1",    "fabs",   "floor",   "ilogb",
          "lgamma",  "log",    "log2",     "log10", "log1p",    "logb",   "radians", "rint",
          "round",   "rsqrt",  "sign",     "sin",   "sinh",     "sinpi",  "sqrt",    "tan",
          "tanh",    "tanpi",  "tgamma",   "trunc", "isfinite", "isinf",  "isnan",   "isnormal",
          "signbit", "length", "normalize"},
         "a",
         {".........++"}},
        {{"fast_length",
          "fast_normalize",
          "half_cos",
          "half_exp",
          "half_exp2",
          "half_exp10",
          "half_log",
          "half_log2",
          "half_log10",
          "half_recip",
          "half_rsqrt",
          "half_sin",
          "half_sqrt",
          "half_tan",
          "native_cos",
          "native_exp",
          "native_exp2",
          "native_exp10",
          "native_log",
          "native_log2",
          "native_log10",
          "native_recip",
          "native_rsqrt",
          "native_sin",
          "native_sqrt",
          "native_tan",
          "sub_group_reduce_add",
          "work_group_reduce_add",
          "work_group_any",
          "work_group_all",
          "sub_group_any"},
         "a",
         {"+++++++++++"}},
        {{"frexp", "lgamma_r"}, "a, &ip", {".........++"}},
        {{"modf", "fract", "sincos"}, "a, &fp", {"+++++++++++"}},
        {{"modf", "fract", "sincos"}, "a, &dp", {"+++++++++++"}},
        {{"any", "all"}, "a", {"++++++.+..."}},
        {{"nan"}, "a", {"......+.+.."}},
        {{"abs", "clz", "ctz", "popcount"}, "a", {"+++++++++.."}},
        {{"atan2",       "atan2pi",       "copysign",  "fdim",           "fmax",
          "fmin",        "fmod",          "hypot",     "maxmag",         "minmag",
          "nextafter",   "pow",           "powr",      "remainder",      "step",
          "isequal",     "isnotequal",    "isgreater", "isgreaterequal", "isless",
          "islessequal", "islessgreater", "isordered", "isunordered",    "dot",
          "distance"},
         "a, b",
         {".........++", ".........++", ".........++", ".........++", ".........++", ".........++",
          ".........++", ".........++", ".........++", "++++++++++.", "+++++++++.+"}},
        {{"remquo"},
         "a, b, &ip",
         {".........++", ".........++", ".........++", ".........++", ".........++", ".........++",
          ".........++", ".........++", ".........++", "++++++++++.", "+++++++++.+"}},
        {{"fast_distance", "half_divide", "half_powr", "native_divide", "native_powr"},
         "a, b",
         {"+++++++++++", "+++++++++++", "+++++++++++", "+++++++++++", "+++++++++++", "+++++++++++",
          "+++++++++++", "+++++++++++", "+++++++++++", "+++++++++++", "+++++++++++"}},
        {{"ldexp", "pown", "rootn"},
         "a, b",
         {"...........", "...........", "...........", "...........", "...........", "...........",
          "...........", "...........", "...........", "+++++++++++", "+++++++++++"}},
        {{"mul_hi", "hadd", "rhadd", "rotate", "abs_diff", "add_sat", "sub_sat"},
         "a, b",
         {"+....+...++", ".+.......++", "..+......++", "...+.....++", "....+....++", "+....+...++",
          "......+..++", ".......+.++", "........+++", "+++++++++..", "+++++++++.."}},
        {{"min", "max"},
         "a, b",
         {"+....+.....", ".+.........", "..+........", "...+.......", "....+......", "+....+.....",
          "......+....", ".......+...", "........+..", ".........+.", "..........+"}},
        {{"mul24"},
         "a, b",
         {"++++++.++++", "++++++.++++", "++++++.++++", "++++++.++++", "++++++.++++", "++++++.++++",
          "......+++++", "+++++++....", "+++++++....", "+++++++....", "+++++++...."}},
        {{"upsample"},
         "a, b",
         {"++.+.++++++", "++++.+.++++", "++++.+.++++", "++.+++.++++", "++.+++.++++", "++.+.++++++",
          "++.+.++++++", "...........", "...........", "...........", "..........."}},
        {{"mad_hi", "mad_sat"},
         "a, b, b",
         {"+....+...++", ".+.......++", "..+......++", "...+.....++", "....+....++", "+....+...++",
          "......+..++", ".......+.++", "........+++", "+++++++++..", "+++++++++.."}},
        {{"clamp", "bitselect"},
         "a, b, b",
         {"+....+.....", ".+.........", "..+........", "...+.......", "....+......", "+....+.....",
          "......+....", ".......+...", "........+..", ".........+.", "..........+"}},
        {{"mad24"},
         "a, b, b",
         {"++++++.++++", "++++++.++++", "++++++.++++", "++++++.++++", "++++++.++++", "++++++.++++",
          "......+++++", "+++++++....", "+++++++....", "+++++++....", "+++++++...."}},
        {{"fma", "mad", "mix", "smoothstep"},
         "a, b, b",
         {".........++", ".........++", ".........++", ".........++", ".........++", ".........++",
          ".........++", ".........++", ".........++", "++++++++++.", "+++++++++.+"}},
        {{"fma", "mad", "mix", "smoothstep"},
         "a, a, b",
         {".........++", ".........++", ".........++", ".........++", ".........++", ".........++",
          ".........++", ".........++", ".........++", "++++++++++.", "+++++++++.+"}},
        {{"clamp", "bitselect"},
         "a, a, b",
         {"+....+.....", ".+.........", "..+........", "...+.......", "....+......", "+....+.....",
          "......+....", ".......+...", "........+..", ".........+.", "..........+"}},
        {{"select"},
         "a, a, b",
         {"+....++....", ".++........", ".++........", "...++......", "...++......", "+....++....",
          "+....++....", ".......++..", ".......++..", "+....++....", ".......++.."}},
        {{"select"},
         "a, b, a",
         {"+....+.....", ".+.........", "..+........", "...+.......", "....+......", "+....+.....",
          "......+....", ".......+...", "........+..", "...........", "..........."}},
    };
    for (const Table& table : kTables)
        for (const std::string_view function : table.functions)
            for (std::size_t a = 0; a < table.rows.size(); ++a)
                for (std::size_t b = 0; b < std::size(kTypes); ++b) {
                    // size_t, which some devices have of 32 bits.
                    if (function.ends_with("24") && kTypes[a] == "ulong" && a == b) continue;
                    const bool one = table.rows.size() == 1;
                    const std::string text = fmt::format(
                        "kernel void k(global int* p) {{ {} a = 1; {} b = 2; float fp; double dp; "
                        "int ip; {}({}); }}",
                        kTypes[one ? b : a], kTypes[b], function, table.arguments);
                    const Compiled compiled = compile({"k.cl", text, ""});
                    EXPECT_EQ(compiled.code.has_value(), table.rows[a][b] == '+') << text;
                }
    EXPECT_THAT(errors_in("mul_hi(i, u)"),
                testing::HasSubstr("'mul_hi' takes arguments of one type, these are int and uint"));
    EXPECT_THAT(errors_in("max(get_global_id(0), 3)"),
                testing::HasSubstr("Write (ulong) or (int) before the other one"));
    EXPECT_THAT(errors_in("sqrt(i)"),
                testing::AllOf(testing::HasSubstr("'sqrt' takes floating-point numbers"),
                               testing::HasSubstr("Write sqrt((float)i)")));
    EXPECT_THAT(errors_in("f = pow(2, i)"), testing::HasSubstr("Write pow((float)2, …)"));
    EXPECT_THAT(errors_in("pow(f, 2.0)"), testing::HasSubstr("Write (float) or (double)"));
    EXPECT_THAT(errors_in("select(l, l, i)"),
                testing::AllOf(testing::HasSubstr("'select' of a long needs a long to choose by"),
                               testing::HasSubstr("Write (long) before it")));
}

// What exists for floats alone, or not for each type of a vector's components.
TEST(FunctionTables, VersionsThatCompilersLack) {
    for (const char* each :
         {"native_floor(f)", "native_pow(f, f)", "half_fabs(f)", "native_sqrt((double4)(d))",
          "any(x)", "shuffle(v, w)", "shuffle(v, (ulong4)(l))", "select(v, v, 1)",
          "work_group_broadcast(v, 0)", "vstore_half(i, 0, gh)", "vstore_half(gh[0], 0, gh)",
          "pow(gh[0], f)", "max(gh[0], f)", "isequal(gh[0], d)", "frexp(i, &ip)"})
        EXPECT_NE(errors_in(each), "") << each;
    for (const char* each : {"pow(gh[0], i)", "ldexp(v, f)", "ldexp(f, f)", "any(w)", "pow(v, i)",
                             "dot(v, f)", "native_sqrt(gh[0])", "sub_group_broadcast(v, 0)"})
        EXPECT_EQ(errors_in(each), "");
}

TEST(FunctionTables, GeometryAndRelations) {
    static constexpr std::string_view kTwo[] = {"dot", "distance", "fast_distance"};
    static constexpr std::string_view kOne[] = {"length", "normalize", "fast_length",
                                                "fast_normalize"};
    for (const char* each : {"f, f", "v2, v2", "v3, v3", "v, v"})
        expect_calls(kTwo, each);
    for (const char* each : {"f", "v2", "v3", "v"})
        expect_calls(kOne, each);
    static constexpr std::string_view kPairs[] = {"isequal",        "isnotequal", "isgreater",
                                                  "isgreaterequal", "isless",     "islessequal",
                                                  "islessgreater",  "isordered",  "isunordered"};
    static constexpr std::string_view kSingle[] = {"isfinite", "isinf", "isnan", "isnormal",
                                                   "signbit"};
    for (const char* each : {"f, f", "v, v", "d, d"})
        expect_calls(kPairs, each);
    for (const char* each : {"f", "v", "d"})
        expect_calls(kSingle, each);
    for (const char* each :
         {"cross(v, v)", "cross(v3, v3)", "any(w)", "all(w)", "any(c)", "bitselect(f, f, f)",
          "bitselect(w, w, w)", "select(v, v, w)", "select(f, f, i)", "select(w, w, x)"})
        EXPECT_EQ(errors_in(each), "");
}

TEST(FunctionTables, VectorsInMemory) {
    for (const int width : {2, 3, 4, 8, 16}) {
        const std::string value = width == 4 ? "v" : fmt::format("v{}", width);
        EXPECT_EQ(errors_in(fmt::format("{} = vload{}(i, gf)", value, width)), "");
        EXPECT_EQ(errors_in(fmt::format("vstore{}({}, i, gf)", width, value)), "");
        for (const char* a : {"", "a"}) {
            EXPECT_EQ(errors_in(fmt::format("{} = vload{}_half{}(i, gh)", value, a, width)), "");
            for (const char* rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"})
                EXPECT_EQ(errors_in(fmt::format("vstore{}_half{}{}({}, i, gh)", a, width, rounding,
                                                value)),
                          "");
        }
    }
    for (const char* rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"})
        EXPECT_EQ(
            errors_in(fmt::format("vstore_half{0}(f, 0, gh); vstore_half{0}(d, 0, gh)", rounding)),
            "");
    for (const char* each : {"f = vload_half(0, gh)", "shuffle(v, x)", "shuffle2(v, v, x)",
                             "i = vec_step(v3)", "i = vec_step(uchar8)"})
        EXPECT_EQ(errors_in(each), "");
}

TEST(FunctionTables, WaitingCopyingPrinting) {
    for (const char* each :
         {"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "barrier(i)",
          "mem_fence(CLK_LOCAL_MEM_FENCE)", "read_mem_fence(CLK_LOCAL_MEM_FENCE)",
          "write_mem_fence(CLK_GLOBAL_MEM_FENCE)", "prefetch(gf, 4)",
          "e = async_work_group_copy(lf, gf, 4, 0)", "e = async_work_group_copy(gi, li, 4, e)",
          "e = async_work_group_strided_copy(lf, gf, 4, 2, 0)", "wait_group_events(1, &e)",
          "printf(\"%d %f\\n\", i, f)", "printf(\"%v4f\", v)"})
        EXPECT_EQ(errors_in(each), "");
}

TEST(FunctionTables, Atomics) {
    static constexpr std::string_view kTwo[] = {"add", "sub", "xchg", "min",
                                                "max", "and", "or",   "xor"};
    for (const std::string_view name : kTwo)
        for (const char* pointer : {"gi", "gu", "li"}) {
            EXPECT_EQ(errors_in(fmt::format("atomic_{}({}, 1)", name, pointer)), "");
            EXPECT_EQ(errors_in(fmt::format("atom_{}({}, 1)", name, pointer)), "");
        }
    for (const std::string_view name : kTwo)
        EXPECT_EQ(errors_in(fmt::format("atom_{}(gl, 1)", name)), "");
    for (const char* each :
         {"atomic_inc(gi)", "atomic_dec(li)", "atomic_cmpxchg(gi, 1, 2)", "atomic_xchg(gf, f)",
          "atom_inc(gl)", "atom_dec(gl)", "atom_cmpxchg(gl, 1, 2)"})
        EXPECT_EQ(errors_in(each), "");
}

TEST(FunctionTables, LaterVersions) {
    static constexpr std::string_view kFetch[] = {"add", "sub", "or", "xor", "and", "min", "max"};
    for (const std::string_view name : kFetch) {
        EXPECT_EQ(errors_in(fmt::format("atomic_fetch_{}(gi, 1)", name)), "");
        EXPECT_EQ(
            errors_in(fmt::format("atomic_fetch_{}_explicit(gl, 1, memory_order_relaxed)", name)),
            "");
    }
    for (const char* each :
         {"atomic_init(gi, 1)", "atomic_load(gi)", "atomic_store(gi, 1)", "atomic_exchange(gi, 1)",
          "atomic_load_explicit(gi, memory_order_acquire, memory_scope_device)",
          "atomic_store_explicit(gi, 1, memory_order_release, memory_scope_work_group)",
          "atomic_compare_exchange_strong(gi, &ip, 2)",
          "atomic_compare_exchange_weak_explicit(gi, &ip, 2, memory_order_acq_rel, "
          "memory_order_relaxed, memory_scope_device)",
          "atomic_flag_test_and_set(gi)", "atomic_flag_clear(gi)", "atomic_fetch_add(gf, f)",
          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)",
          "work_group_barrier(CLK_LOCAL_MEM_FENCE)",
          "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)",
          "get_enqueued_local_size(0)", "get_global_linear_id()", "get_local_linear_id()"})
        EXPECT_EQ(errors_in(each), "");
}

// What C says no call shall have; compilers take the orders all the same.
TEST(FunctionTables, OrdersThatNoCallShallHave) {
    const auto exchange = [](const char* order, const char* failure) {
        return errors_in(
            fmt::format("atomic_compare_exchange_weak_explicit(gi, &ip, 2, "
                        "memory_order_{}, memory_order_{})",
                        order, failure));
    };
    EXPECT_EQ(exchange("acquire", "acquire"), "");
    EXPECT_EQ(exchange("release", "relaxed"), "");
    for (const char* failure : {"release", "acq_rel"})
        EXPECT_THAT(exchange("seq_cst", failure), testing::HasSubstr("cannot release"));
    EXPECT_THAT(exchange("acq_rel", "seq_cst"), testing::HasSubstr("a stronger order"));
    EXPECT_THAT(exchange("relaxed", "acquire"), testing::HasSubstr("a stronger order"));
    for (const char* order : {"release", "acq_rel"})
        EXPECT_THAT(errors_in(fmt::format("atomic_load_explicit(gi, memory_order_{})", order)),
                    testing::HasSubstr("'atomic_load_explicit' cannot release"));
    for (const char* call : {"store_explicit(gi, 1, memory_order_acquire)",
                             "store_explicit(gi, 1, memory_order_acq_rel)",
                             "flag_clear_explicit(gi, memory_order_acquire)"})
        EXPECT_THAT(errors_in(fmt::format("atomic_{}", call)),
                    testing::HasSubstr("cannot acquire"));
    EXPECT_THAT(errors_in("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire)"),
                testing::HasSubstr("takes 3 arguments, but 2 are given"));
}

TEST(FunctionTables, Together) {
    static constexpr std::string_view kHow[] = {"add", "min", "max", "mul"};
    static constexpr std::string_view kBits[] = {"and", "or", "xor"};
    for (const char* group : {"work_group", "sub_group", "sub_group_non_uniform"})
        for (const char* what : {"reduce", "scan_inclusive", "scan_exclusive"}) {
            for (const std::string_view how : kHow)
                for (const char* value : {"i", "u", "l", "f", "d"})
                    EXPECT_EQ(errors_in(fmt::format("{}_{}_{}({})", group, what, how, value)), "");
            for (const std::string_view how : kBits)
                EXPECT_EQ(errors_in(fmt::format("{}_{}_{}(u)", group, what, how)), "");
        }
    for (const char* each : {"work_group_any(i)",
                             "work_group_all(i)",
                             "work_group_broadcast(f, 0)",
                             "sub_group_any(i)",
                             "sub_group_all(i)",
                             "sub_group_broadcast(f, 0)",
                             "sub_group_barrier(CLK_LOCAL_MEM_FENCE)",
                             "sub_group_elect()",
                             "sub_group_non_uniform_all_equal(f)",
                             "sub_group_non_uniform_broadcast(v, 1)",
                             "sub_group_broadcast_first(i)",
                             "x = sub_group_ballot(i)",
                             "i = sub_group_inverse_ballot(x)",
                             "i = sub_group_ballot_bit_extract(x, 3)",
                             "u = sub_group_ballot_bit_count(x)",
                             "u = sub_group_ballot_inclusive_scan(x)",
                             "u = sub_group_ballot_exclusive_scan(x)",
                             "u = sub_group_ballot_find_lsb(x)",
                             "u = sub_group_ballot_find_msb(x)",
                             "x = get_sub_group_eq_mask()",
                             "x = get_sub_group_ge_mask()",
                             "x = get_sub_group_gt_mask()",
                             "x = get_sub_group_le_mask()",
                             "x = get_sub_group_lt_mask()",
                             "v = sub_group_shuffle(v, u)",
                             "sub_group_shuffle_xor(i, 1)",
                             "sub_group_shuffle_up(f, 1)",
                             "sub_group_shuffle_down(l, 1)",
                             "sub_group_rotate(i, 1)",
                             "get_sub_group_size()",
                             "get_max_sub_group_size()",
                             "get_num_sub_groups()",
                             "get_enqueued_num_sub_groups()",
                             "get_sub_group_id()",
                             "get_sub_group_local_id()"})
        EXPECT_EQ(errors_in(each), "");
}

// Not defined where there are no images (OpenCL C 1.2, 6.10).
TEST(FunctionTables, TextsThatAskForImagesFirst) {
    EXPECT_EQ(errors_in("\n#ifdef __IMAGE_SUPPORT__\n read_image();\n#endif\n"), "");
}

// What stays out is said to, with what to write instead.
TEST(FunctionTables, Images) {
    for (const char* each : {"read_imagef", "read_imagei", "read_imageui", "write_imagef",
                             "write_imagei", "write_imageui", "get_image_width", "get_image_height",
                             "get_image_depth", "get_image_channel_data_type",
                             "get_image_channel_order", "get_image_dim", "get_image_array_size"}) {
        const auto unsupported = unsupported_function(each);
        ASSERT_TRUE(unsupported) << each;
        EXPECT_EQ(unsupported->instead, "Use a buffer") << each;
    }
}

}  // namespace

// The types of calls, the values of constant expressions, and what can be assigned to.
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
        {"min((uint)i, ui)", "uint"},
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
        {"native_sqrt(d)", "float"},
        {"half_divide(d, i)", "float"},
        {"fast_length(d)", "float"},
        {"pow(f, i)", "float"},
        {"pow(i, d)", "double"},
        {"modf(i, &d)", "double"},
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
