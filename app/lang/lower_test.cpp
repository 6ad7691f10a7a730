// What code a kernel becomes: its visible operations and their places, memory and parameters.
#include "support/lowered_kernels.h"

namespace lab::lang {
namespace {

TEST(Lower, VisibleOperationsOfTheLocalTree) {
    Compiled compiled = compile({"kernels/local_tree.cl", local_tree(), local_tree_macros(true)});
    ASSERT_TRUE(compiled.code) << text_of(compiled.diagnostics, compiled.sources);
    EXPECT_EQ(visible(*compiled.code),
              (Texts{"load in[i]", "store buf[lid]", "barrier barrier(CLK_LOCAL_MEM_FENCE)",
                     "load buf[lid + width]", "load buf[lid]", "store buf[lid]",
                     "barrier barrier(CLK_LOCAL_MEM_FENCE)", "load buf[0]",
                     "store out[get_group_id(0)]"}));
    EXPECT_TRUE(compiled.code->has_barrier);
    EXPECT_EQ(count(*compiled.code, Op::next_pass), 4U);  // two loops: each turn, and behind
    EXPECT_EQ(compiled.code->local_bytes, 0U);            // an argument is none of the kernel's own

    // Line and column are those of the text, whatever macros stand before it.
    std::uint32_t line = 0, at = 1;
    std::istringstream lines(local_tree());
    for (std::string each; std::getline(lines, each); ++at)
        if (each.find("buf[lid + width]") != std::string::npos) line = at;
    for (const Instruction& instruction : compiled.code->instructions) {
        const Place& place = compiled.code->place(instruction);
        if (instruction.op != Op::load || place.line != line) continue;
        EXPECT_EQ(place.file, kTextFile);
        EXPECT_EQ(place.column, 29U);
        EXPECT_EQ(static_cast<Space>(instruction.extra), Space::local);
    }
}

TEST(Lower, TurnsOfTheOutermostLoopCount) {
    const Compiled compiled =
        compile({"kernels/local_tree.cl", local_tree(), local_tree_macros(false)});
    ASSERT_TRUE(compiled.code);
    EXPECT_FALSE(compiled.code->has_barrier);
    EXPECT_EQ(visible(*compiled.code).size(), 7U);
    EXPECT_EQ(count(*compiled.code, Op::next_pass), 4U);  // two loops: each turn, and behind
}

TEST(Lower, NextPassOnlyOfOutermostLoopsThatTouchSharedMemory) {
    const auto passes = [](const char* body) { return count(kernel(body), Op::next_pass); };
    EXPECT_EQ(passes("out[0] = 1;"), 0U);
    EXPECT_EQ(passes("for (int i = 0; i < n; ++i) out[i] = i;"), 2U);
    EXPECT_EQ(passes("while (n--) out[n] = 1;"), 2U);
    EXPECT_EQ(passes("do out[n] = 1; while (n--);"), 2U);
    EXPECT_EQ(passes("int s = 0; for (int i = 0; i < n; ++i) s += i; out[0] = s;"), 0U);
    EXPECT_EQ(passes("int a[4]; for (int i = 0; i < 4; ++i) a[i] = i; out[0] = a[n];"), 0U);
    EXPECT_EQ(passes("for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) out[k] = i;"), 2U);
    EXPECT_EQ(passes("for (int i = 0; i < n; ++i) out[i] = i; barrier(CLK_GLOBAL_MEM_FENCE);"), 2U);
    EXPECT_EQ(passes("for (int i = 0; i < n; ++i) out[i] = i; out[0] = work_group_any(n);"), 2U);
}

TEST(Lower, OrderOfVisibleOperations) {
    EXPECT_EQ(visible(kernel("out[0] = out[1] + out[2] * out[3];")),
              (Texts{"load out[1]", "load out[2]", "load out[3]", "store out[0]"}));
    EXPECT_EQ(visible(kernel("out[n] += out[1];")),
              (Texts{"load out[1]", "load out[n]", "store out[n]"}));
    EXPECT_EQ(visible(kernel("out[0]++;")), (Texts{"load out[0]", "store out[0]"}));
    EXPECT_EQ(visible(kernel("if (out[0] && out[1]) out[2] = 1;")),
              (Texts{"load out[0]", "load out[1]", "store out[2]"}));
    EXPECT_EQ(visible(kernel("out[0] = n ? out[1] : out[2];")),
              (Texts{"load out[1]", "load out[2]", "store out[0]"}));
    EXPECT_EQ(visible(kernel("out[0] = atomic_add(&out[1], out[2]);")),
              (Texts{"load out[2]", "atomic atomic_add(&out[1], out[2])", "store out[0]"}));
    EXPECT_EQ(visible(kernel("for (int i = out[0]; i < out[1]; i += out[2]) ;")),
              (Texts{"load out[0]", "load out[1]", "load out[2]"}));
    EXPECT_EQ(visible(kernel("int x = sizeof out[0]; const int y = n + x; (void)y;")), Texts());
    EXPECT_EQ(visible(kernel("mem_fence(CLK_GLOBAL_MEM_FENCE); prefetch(out, 4);")), Texts());
}

TEST(Lower, MacrosGiveThePlaceWhereTheyAreUsed) {
    const Code code = code_of(
        "#define AT(i) out[(i) + 1]\n"
        "kernel void f(global int* out) {\n"
        "    AT(0) = AT(3);\n"
        "}");
    Texts places;
    for (const Instruction& instruction : code.instructions)
        if (is_visible(instruction.op))
            places.push_back(fmt::format("{}:{} macro {}", code.place(instruction).line,
                                         code.place(instruction).column,
                                         code.place(instruction).macro_line));
    EXPECT_EQ(places, (Texts{"3:13 macro 1", "3:5 macro 1"}));
}

// What an argument names is read where it stands; what the macro does with it, at the macro.
TEST(Lower, MacrosReadTheirArgumentsWhereThoseStand) {
    const Code code = code_of(
        "#define SUM(a, b) ((a) + (b))\n"
        "kernel void f(global int* out) {\n"
        "    out[0] = SUM(out[1], out[2]);\n"
        "}");
    EXPECT_EQ(visible(code), (Texts{"load out[1]", "load out[2]", "store out[0]"}));
    for (const Instruction& instruction : code.instructions)
        if (instruction.op == Op::add_i32) {
            EXPECT_EQ(code.place(instruction).column, 14U);
            EXPECT_EQ(code.place(instruction).macro_line, 1U);
        }
}

TEST(Lower, ConstantBranchesAreFolded) {
    EXPECT_EQ(visible(kernel("if (1) out[0] = 1; else out[1] = 1;")), (Texts{"store out[0]"}));
    EXPECT_EQ(visible(kernel("if (sizeof(int) > 4) out[0] = 1; else out[1] = 1;")),
              (Texts{"store out[1]"}));
    EXPECT_EQ(visible(kernel("if (0) out[0] = 1;")), Texts());
    EXPECT_EQ(count(kernel("if (2 - 2 || 0.5f > 1) out[0] = 1;"), Op::if_), 0U);
    EXPECT_EQ(count(kernel("if (n) out[0] = 1;"), Op::if_), 1U);
    EXPECT_EQ(count(kernel("out[0] = n > 1 ? n : 2;"), Op::if_), 0U);  // a select will do
}

TEST(Lower, MemoryOfEachSpace) {
    const Code code = code_of(
        "constant int table[3] = {7, 8, 9};\n"
        "kernel void f(global const float4* in, global float* out, local int* given, int n) {\n"
        "    int own[4] = {1}; local int shared[5]; local char more; int x = n;\n"
        "    own[n] = table[n]; shared[n] = own[1]; given[0] = x; more = 1;\n"
        "    out[0] = in[n].y + in[1].x + shared[0];\n"
        "    vstore4(in[0], 0, out);\n"
        "}");
    EXPECT_EQ(code.private_bytes, 16U);
    EXPECT_EQ(code.local_bytes, 25U);
    EXPECT_EQ(count(code, Op::load_private), 1U);
    std::string loads, stores;
    for (const Instruction& instruction : code.instructions) {
        if (instruction.op != Op::load && instruction.op != Op::store) continue;
        std::string& to = instruction.op == Op::load ? loads : stores;
        to += fmt::format("{} {}x{}; ", lang::name_of(static_cast<Space>(instruction.extra)),
                          info(instruction.type).name, instruction.count);
    }
    EXPECT_EQ(loads,
              "constant intx1; global floatx1; global floatx1; local intx1; global floatx4; ");
    EXPECT_EQ(stores, "local intx1; local intx1; local charx1; global floatx1; global floatx4; ");

    ASSERT_EQ(code.objects.size(), 4U);
    const auto named = [&](const char* name) {
        return *std::find_if(code.objects.begin(), code.objects.end(),
                             [name](const Object& object) { return object.name == name; });
    };
    EXPECT_EQ(named("table").space, Space::constant);
    EXPECT_EQ(named("table").initial.at(4), std::byte{8});
    EXPECT_EQ(named("own").space, Space::private_);
    EXPECT_EQ(named("shared").bytes, 20U);
    EXPECT_EQ(named("more").element, Scalar::char_);
    EXPECT_EQ(named("more").offset, 24U);  // each begins at a multiple of 8
}

TEST(Lower, ParametersAsTheHostSeesThem) {
    const Code code = code_of(
        "typedef struct { int a; float2 v; uchar b[2]; } Item;\n"
        "kernel void f(global const float4* in, constant int* table, local double* buf, ulong n,\n"
        "              float4 v, Item item, global Item* items, uchar small) {\n"
        "    buf[0] = n + v.x + item.b[1] + table[0] + small; n += 1; items[0] = item;\n"
        "}");
    using ParameterKind = Parameter::Kind;
    struct Expected {
        ParameterKind kind;
        const char* name;
        Scalar type;
        std::uint64_t element_bytes;
        std::size_t components;
        bool read_only;
        const char* type_name;
    };
    const Expected all[] = {
        {ParameterKind::buffer, "in", Scalar::float_, 16, 0, true, "global const float4*"},
        {ParameterKind::buffer, "table", Scalar::int_, 4, 0, true, "constant const int*"},
        {ParameterKind::local, "buf", Scalar::double_, 8, 0, false, "local double*"},
        {ParameterKind::value, "n", Scalar::ulong, 8, 1, false, "ulong"},
        {ParameterKind::value, "v", Scalar::float_, 16, 4, false, "float4"},
        {ParameterKind::value, "item", Scalar::void_, 24, 5, false, "struct"},
        {ParameterKind::buffer, "items", Scalar::uchar, 24, 0, false, "global struct*"},
        {ParameterKind::value, "small", Scalar::uchar, 1, 1, false, "uchar"},
    };
    ASSERT_EQ(code.parameters.size(), std::size(all));
    for (std::size_t i = 0; i < std::size(all); ++i) {
        const Parameter& parameter = code.parameters[i];
        EXPECT_EQ(parameter.kind, all[i].kind) << parameter.name;
        EXPECT_EQ(parameter.name, all[i].name);
        EXPECT_EQ(parameter.type, all[i].type) << parameter.name;
        EXPECT_EQ(parameter.element_bytes, all[i].element_bytes) << parameter.name;
        EXPECT_EQ(parameter.components.size(), all[i].components) << parameter.name;
        EXPECT_EQ(parameter.read_only, all[i].read_only) << parameter.name;
        EXPECT_EQ(parameter.type_name, all[i].type_name) << parameter.name;
    }
    EXPECT_EQ(
        code.parameters[5].components,
        (std::vector{Scalar::int_, Scalar::float_, Scalar::float_, Scalar::uchar, Scalar::uchar}));
}

}  // namespace

// What code a kernel becomes: control flow, inlining, registers, limits.
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
    // Loops are searched for barriers before that.
    const std::string loop = "for (int i = 0; i < 2; ++i) ";
    EXPECT_EQ(error_of("int g(int x) { return g(x); }\n" + head + loop + "out[0] = g(1); }"),
              "'g' calls itself");
    std::string twice = "void g0(global int* p) { p[0] += 1; }\n";
    for (int i = 1; i <= 40; ++i)
        twice += fmt::format("void g{0}(global int* p) {{ g{1}(p); g{1}(p); }}\n", i, i - 1);
    for (const std::string& before : {std::string(), loop})
        EXPECT_EQ(error_of(twice + head + before + "g40(out); }"),
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

TEST(Lower, KnowsWhetherTheWidthOfAWarpMatters) {
    EXPECT_FALSE(depends_on_lanes(kernel("out[get_local_id(0)] = work_group_reduce_add(n);")));
    for (const char* asks :
         {"get_sub_group_local_id()", "get_sub_group_id()", "get_sub_group_size()",
          "get_max_sub_group_size()", "get_num_sub_groups()", "sub_group_reduce_add(n)",
          "sub_group_shuffle(n, 1)"})
        EXPECT_TRUE(depends_on_lanes(kernel(fmt::format("out[0] = {};", asks)))) << asks;
    const auto scoped = [](const char* scope) {
        return depends_on_lanes(
            kernel(fmt::format("atomic_store_explicit(out, 1, memory_order_release, {});", scope)));
    };
    EXPECT_TRUE(scoped("memory_scope_sub_group"));
    EXPECT_FALSE(scoped("memory_scope_work_group"));
}

}  // namespace
}  // namespace lab::lang
