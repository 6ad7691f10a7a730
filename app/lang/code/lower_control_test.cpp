// What code a kernel becomes: control flow, inlining, registers, limits.
#include "support/lowered_kernels.h"

namespace lab::lang {
namespace {

TEST(Lower, LanesComeBackToALoopOnlyWhereSomeWentOn) {
    const auto loop = [](const std::string& body) {
        return code_of(
            "kernel void f(global int* out) {\n"
            "    for (int i = 0; i < 4; ++i) {\n" +
            body + "out[i] = i;\n    }\n}");
    };
    EXPECT_EQ(count(loop(""), Op::again), 0U);
    EXPECT_EQ(count(loop("if (i == 2) break;\n"), Op::again), 0U);
    EXPECT_EQ(count(loop("if (i == 2) continue;\n"), Op::again), 1U);
}

TEST(Lower, UnsignedDivisionByAPowerOfTwoShifts) {
    const auto divided = [](const std::string& type, const std::string& by) {
        return code_of("kernel void f(global " + type + "* out, " + type +
                       " n) {\n"
                       "    out[0] = out[1] / " +
                       by + " + out[2] % " + by + ";\n}");
    };
    const Code shifts = divided("uint", "8");
    EXPECT_EQ(count(shifts, Op::shr_u32), 1U);
    EXPECT_EQ(count(shifts, Op::and_), 1U);
    EXPECT_EQ(count(shifts, Op::div_u32) + count(shifts, Op::rem_u32), 0U);
    EXPECT_EQ(count(divided("ulong", "8"), Op::shr_u64), 1U);
    EXPECT_EQ(count(divided("int", "8"), Op::div_i32), 1U);  // rounds towards 0
    EXPECT_EQ(count(divided("uint", "6"), Op::div_u32), 1U);
    EXPECT_EQ(count(divided("uint", "n"), Op::div_u32), 1U);
}

TEST(Lower, InlinedFunctionsKeepTheirPlaces) {
    const Code code = code_of(
        "int first(global int* p) { return p[1]; }\n"
        "int early(global int* p, int i) {\n"
        "    if (i < 0) return p[2];\n"
        "    return p[3];\n"
        "}\n"
        "kernel void f(global int* out, int n) {\n"
        "    out[0] = first(out) + early(out, n) + first(out + 4);\n"
        "}");
    std::vector<std::uint32_t> lines;
    for (const Instruction& instruction : code.instructions)
        if (is_visible(instruction.op)) lines.push_back(code.place(instruction).line);
    EXPECT_EQ(lines, (std::vector<std::uint32_t>{1, 3, 4, 1, 7}));
    EXPECT_EQ(count(code, Op::leave), 2U);  // of the one that returns early
    EXPECT_EQ(count(code, Op::enter), 1U);
}

TEST(Lower, ControlFlowJumpsWithinTheCode) {
    const Code code = kernel(
        "for (int i = 0; i < n; ++i) { if (i == 3) continue; if (i > 7) break;\n"
        "switch (i) { case 0: out[0] = 1; case 1: break; default: return; }\n"
        "do { out[1]++; } while (out[1] < i); }");
    ASSERT_EQ(code.instructions.back().op, Op::end);
    for (const Instruction& instruction : code.instructions) {
        EXPECT_LT(instruction.target, code.instructions.size());
        EXPECT_LT(instruction.place, code.places.size());
        EXPECT_TRUE(instruction.op < Op::if_ || instruction.op >= Op::next_pass ||
                    instruction.to < code.masks);
    }
}

TEST(Lower, VariablesLiveWhereTheirBlockIs) {
    const Code code = kernel(
        "    int a = n;\n"
        "    for (int i = 0; i < n; ++i) {\n"
        "        float4 v = i;\n"
        "        out[i] = v.x;\n"
        "    }\n"
        "    int own[2];\n"
        "    { char c = a; own[1] = c; }\n"
        "    global int* p = out + a;\n"
        "    p[1] = own[1];");
    const auto named = [&](const char* name) {
        return *std::find_if(code.variables.begin(), code.variables.end(),
                             [name](const VariableInfo& info) { return info.name == name; });
    };
    const VariableInfo a = named("a"), i = named("i"), v = named("v"), own = named("own"),
                       c = named("c"), p = named("p");
    EXPECT_EQ(a.line, 2U);
    EXPECT_EQ(v.line, 4U);
    EXPECT_EQ(v.type, Scalar::float_);
    EXPECT_EQ(v.width, 4);
    EXPECT_EQ(c.type, Scalar::char_);
    EXPECT_TRUE(p.pointer);
    EXPECT_FALSE(a.pointer);
    EXPECT_GE(own.object, 0);
    EXPECT_LT(a.object, 0);
    for (const VariableInfo& variable_info : code.variables) {
        EXPECT_LT(variable_info.first, variable_info.end) << variable_info.name;
        EXPECT_LE(variable_info.end, code.instructions.size()) << variable_info.name;
    }
    // Within one another, one after another.
    EXPECT_LT(a.first, i.first);
    EXPECT_LT(i.first, v.first);
    EXPECT_LE(v.end, i.end);
    EXPECT_LE(i.end, own.first);
    EXPECT_LE(c.end, p.first);
    EXPECT_EQ(a.end, p.end);
    // Where a variable is alive, its register is no other's.
    for (const VariableInfo& x : code.variables)
        for (const VariableInfo& y : code.variables) {
            if (x.name >= y.name || x.object >= 0 || y.object >= 0) continue;
            const bool together = x.first < y.end && y.first < x.end;
            const bool apart = x.reg + x.width <= y.reg || y.reg + y.width <= x.reg;
            EXPECT_TRUE(!together || apart) << x.name << " and " << y.name;
        }
}

TEST(Lower, UnchangedArgumentsNeedNoRegisters) {
    EXPECT_EQ(kernel("").registers, 0U);
    EXPECT_EQ(count(kernel("out[n] = n;"), Op::move), 0U);
    EXPECT_EQ(count(kernel("n += 1; out[n] = n;"), Op::move), 1U);
}

TEST(Lower, RequiredGroup) {
    const Code code = code_of(
        "kernel __attribute__((reqd_work_group_size(32, 1, 1))) void f(global int* out) {}");
    EXPECT_EQ(code.required_group, (std::vector<std::uint64_t>{32, 1, 1}));
}

TEST(Lower, Limits) {
    const std::string head = "kernel void f(global int* out) { ";
    EXPECT_EQ(error_of("int g(int x) { return g(x); }\n" + head + "out[0] = g(1); }"),
              "'g' calls itself");
    std::string twice = "void g0(global int* p) { p[0] += 1; }\n";
    for (int i = 1; i <= 40; ++i)
        twice += fmt::format("void g{0}(global int* p) {{ g{1}(p); g{1}(p); }}\n", i, i - 1);
    EXPECT_EQ(error_of(twice + head + "g40(out); }"),
              "the kernel has more than 200000 instructions once its functions are inlined");
    std::string chain = "int g0(int x) { return x; }\n";
    for (int i = 1; i <= 80; ++i)
        chain += fmt::format("int g{}(int x) {{ return g{}(x) + 1; }}\n", i, i - 1);
    EXPECT_EQ(error_of(chain + head + "out[0] = g50(1); }"), "");
    EXPECT_EQ(error_of(chain + head + "out[0] = g80(1); }"),
              "more than 64 functions call one another");
    EXPECT_EQ(error_of(head + "int a[300000]; a[0] = 1; out[0] = a[0]; }"),
              "the kernel's private variables need more than 1048576 bytes");
    EXPECT_EQ(error_of(head + "local int a[4000000]; local int b[4000000]; a[0] = b[0]; }"),
              "the kernel's local variables need more than 16777216 bytes");
    std::string many = head;
    for (int i = 0; i < 1300; ++i)
        many += fmt::format("int16 v{} = out[{}];\n", i, i);
    EXPECT_EQ(error_of(many + "}"), "the kernel needs more than 20000 registers");
    EXPECT_EQ(error_of("struct P { global int* p; };\nkernel void f(struct P p) {}"),
              "a kernel's argument cannot be or hold a global int* here");
    EXPECT_EQ(error_of("union U { int i; float f; };\nkernel void f(union U u) {}"),
              "a kernel's argument cannot be or hold a union U here");
}

TEST(Lower, ListingNamesEachInstruction) {
    const Code code = kernel("out[n] = 5;");
    EXPECT_EQ(text_of(code),
              "   0    2:1   offset             r1 u0 u1 r0 imm 4\n"
              "   1    2:1   store              u2 r1 r0 r0\n"
              "   2    1:39  end                m0 r0 r0 r0 -> 0\n");
}

TEST(Lower, KnowsWhetherTheWidthOfAWarpMatters) {
    EXPECT_FALSE(depends_on_lanes(kernel("out[get_local_id(0)] = work_group_reduce_add(n);")));
    for (const char* asks :
         {"get_sub_group_local_id()", "get_sub_group_id()", "get_sub_group_size()",
          "get_max_sub_group_size()", "get_num_sub_groups()", "sub_group_reduce_add(n)",
          "sub_group_shuffle(n, 1)"})
        EXPECT_TRUE(depends_on_lanes(kernel(fmt::format("out[0] = {};", asks)))) << asks;
}

}  // namespace
}  // namespace lab::lang
