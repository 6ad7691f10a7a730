// What the parser makes of a text: how operators bind, declarators, lists of values, statements.
#include "lang/tree/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "lang/text/compile.h"

namespace lab::lang {
namespace {

using EKind = Expression::Kind;
using SKind = Statement::Kind;

Compiled parsed(const std::string& text) {
    Compiled made = compile({"k.cl", text, ""}, "f");
    EXPECT_FALSE(made.diagnostics.failed()) << text_of(made.diagnostics, made.sources);
    return made;
}

const FunctionDefinition& kernel_of(const Compiled& made) {
    return *made.tree->find("f");
}

const Statement& last_of(const Compiled& made) {
    return *kernel_of(made).body->statements.back();
}

const Variable& variable_of(const Compiled& made, std::string_view name) {
    for (const Variable& of : made.tree->variables)
        if (of.name == name) return of;
    throw std::runtime_error("no such variable");
}

// With brackets around everything; conversions are left out.
std::string shape(const Expression& of) {
    static constexpr const char* kSigns[] = {"+",  "-",  "*", "/",  "%", "<<", ">>", "&", "|", "^",
                                             "==", "!=", "<", "<=", ">", ">=", "-",  "~", "!"};
    const auto part = [&](std::size_t i) { return shape(*of.operands[i]); };
    const char* sign = kSigns[static_cast<std::size_t>(of.operator_)];
    switch (of.kind) {
        case EKind::constant:
            return std::to_string(static_cast<std::int64_t>(of.bits));
        case EKind::variable:
            return of.variable->name;
        case EKind::unary:
            return fmt::format("({}{})", sign, part(0));
        case EKind::binary:
            return fmt::format("({} {} {})", part(0), sign, part(1));
        case EKind::logical_and:
            return fmt::format("({} && {})", part(0), part(1));
        case EKind::logical_or:
            return fmt::format("({} || {})", part(0), part(1));
        case EKind::conditional:
            return fmt::format("({} ? {} : {})", part(0), part(1), part(2));
        case EKind::assign:
            return fmt::format("({} = {})", part(0), part(1));
        case EKind::compound:
            return fmt::format("({} {}= {})", part(0), sign, part(1));
        case EKind::increment:
            return of.prefix ? fmt::format("({}{})", of.minus ? "--" : "++", part(0))
                             : fmt::format("({}{})", part(0), of.minus ? "--" : "++");
        case EKind::dereference:
            return fmt::format("(*{})", part(0));
        case EKind::address:
            return fmt::format("(&{})", part(0));
        case EKind::offset:
            return fmt::format("({} {}> {})", part(0), of.minus ? "<" : "-", part(1));
        case EKind::member:
            return fmt::format("{}.{}", part(0), of.index);
        case EKind::swizzle: {
            std::string lanes;
            for (const std::uint8_t lane : of.lanes)
                lanes += fmt::format("{:x}", lane);
            return fmt::format("{}.s{}", part(0), lanes);
        }
        case EKind::comma:
            return fmt::format("({}, {})", part(0), part(1));
        default:
            return of.operands.empty() ? "?" : part(0);
    }
}

std::string shape_of(const std::string& expression) {
    const Compiled made = parsed(
        "struct P { int x; int4 v; };\n"
        "kernel void f(global int* g, int a, int b, int c, int d, int4 v) {\n"
        "struct P s; int* p = &a; " +
        expression + "; }");
    return shape(*last_of(made).condition);
}

struct Shaped {
    const char* expression;
    const char* shape;
};

TEST(Parse, HowOperatorsBind) {
    static constexpr Shaped kAll[] = {
        {"a + b * c", "(a + (b * c))"},
        {"a * b + c", "((a * b) + c)"},
        {"a - b - c", "((a - b) - c)"},
        {"a / b % c * d", "(((a / b) % c) * d)"},
        {"a << b + c", "(a << (b + c))"},
        {"a < b << c", "(a < (b << c))"},
        {"a == b < c", "(a == (b < c))"},
        {"a & b == c", "(a & (b == c))"},
        {"a & b ^ c | d", "(((a & b) ^ c) | d)"},
        {"a | b && c ^ d", "((a | b) && (c ^ d))"},
        {"a || b && c", "(a || (b && c))"},
        {"a && b || c", "((a && b) || c)"},
        {"a ? b : c ? d : 1", "(a ? b : (c ? d : 1))"},
        {"a ? b ? 1 : 2 : 3", "(a ? (b ? 1 : 2) : 3)"},
        {"a ? b, c : d", "(a ? (b, c) : d)"},
        {"a = b = c", "(a = (b = c))"},
        {"a += b -= c", "(a += (b -= c))"},
        {"a = b, c", "((a = b), c)"},
        {"a = b ? c : d", "(a = (b ? c : d))"},
        {"-a * b", "((-a) * b)"},
        {"~a & -b", "((~a) & (-b))"},
        {"!a == b", "((a == 0) == b)"},
        {"- -a", "(-(-a))"},
        {"a - -b", "(a - (-b))"},
        {"a+++b", "((a++) + b)"},
        {"a---b", "((a--) - b)"},
        {"-a++", "(-(a++))"},
        {"*p++", "(*(p++))"},
        {"++*p", "(++(*p))"},
        {"(*p)++", "((*p)++)"},
        {"*&a", "(*(&a))"},
        {"&p[1]", "(&(*(p -> 1)))"},
        {"*(p + a - 1)", "(*((p -> a) <> 1))"},
        {"(int)a + b", "(a + b)"},
        {"(char)a * b", "(a * b)"},
        {"a * (b + c)", "(a * (b + c))"},
        {"v.xy.y", "v.s01.s1"},
        {"-v.x", "(-v.s0)"},
        {"s.v.wz", "s.1.s32"},
        {"(&s)->x++", "((*(&s)).0++)"},
        {"sizeof a + b", "(4 + b)"},
        {"sizeof(int) * 2", "(4 * 2)"},
        {"sizeof -a", "4"},
        {"(a)", "a"},
        {"(a) + (b)", "(a + b)"},
        {"((a)) - (b)", "(a - b)"},
        {"2[p]", "(*(p -> 2))"},
    };
    for (const Shaped& of : kAll)
        EXPECT_EQ(shape_of(of.expression), of.shape) << of.expression;
}

TEST(Parse, PlacesSpanTheirText) {
    const Compiled made = parsed(
        "kernel void f(global int* g, int a) {\n"
        "    g[a + 1] = (a * 2) + g[0];\n"
        "}");
    const Expression& whole = *last_of(made).condition;
    const auto span = [&](const Expression& of) {
        return std::string(line_of(made.sources[kTextFile], of.place.line)
                               .substr(of.place.column - 1, of.place.length));
    };
    EXPECT_EQ(span(whole), "g[a + 1] = (a * 2) + g[0]");
    EXPECT_EQ(span(*whole.operands[0]), "g[a + 1]");
    EXPECT_EQ(span(*whole.operands[1]), "(a * 2) + g[0]");
    EXPECT_EQ(span(*whole.operands[1]->operands[0]), "(a * 2)");
    EXPECT_EQ(span(*whole.operands[1]->operands[1]), "g[0]");
    EXPECT_EQ(whole.place.line, 2U);
}

struct Declared {
    const char* declaration;
    const char* name;
    const char* type;
    Space space = Space::private_;
    bool is_const = false;
};

TEST(Parse, Declarations) {
    static const Declared all[] = {
        {"int x;", "x", "int"},
        {"int x, y;", "y", "int"},
        {"const int x = 1;", "x", "int", Space::private_, true},
        {"int const x = 1;", "x", "int", Space::private_, true},
        {"unsigned x;", "x", "uint"},
        {"unsigned char x;", "x", "uchar"},
        {"char unsigned x;", "x", "uchar"},
        {"long unsigned int x;", "x", "ulong"},
        {"short int x;", "x", "short"},
        {"int short x;", "x", "short"},
        {"int long unsigned x;", "x", "ulong"},
        {"signed x;", "x", "int"},
        {"volatile private int x;", "x", "int"},
        {"int *x, y;", "x", "int*"},
        {"int *x, y;", "y", "int"},
        {"const int* x;", "x", "const int*"},
        {"int* const x = 0;", "x", "int*", Space::private_, true},
        {"int** x;", "x", "int**"},
        {"global float* x;", "x", "global float*"},
        {"__global float* restrict x;", "x", "global float*"},
        {"float global* x;", "x", "global float*"},
        {"local int* x;", "x", "local int*"},
        {"const global volatile int* x;", "x", "global const int*"},
        {"int x[3];", "x", "int[3]"},
        {"int x[2][3];", "x", "int[2][3]"},
        {"int* x[3];", "x", "int*[3]"},
        {"int x[1 << 2];", "x", "int[4]"},
        {"int x[] = {1, 2, 3};", "x", "int[3]"},
        {"int2 x[] = {{1, 2}, (int2)(3)};", "x", "int2[2]"},
        {"int x[][2] = {{1, 2}, {3, 4}, {5, 6}};", "x", "int[3][2]"},
        {"local int x[4];", "x", "int[4]", Space::local},
        {"local float x;", "x", "float", Space::local},
        {"typedef float4 T; T x;", "x", "float4"},
        {"typedef float row[4]; row x[2];", "x", "float[2][4]"},
        {"typedef global int* T; T x;", "x", "global int*"},
        {"struct P { int a; }; struct P x;", "x", "struct P"},
        {"typedef struct { int a; } P; P* x;", "x", "struct*"},
        {"enum E { A }; enum E x;", "x", "int"},
        {"int x __attribute__((aligned(16)));", "x", "int"},
        {"size_t x;", "x", "ulong"},
    };
    for (const Declared& of : all) {
        const Compiled made =
            parsed(fmt::format("kernel void f(global int* out) {{ {} }}", of.declaration));
        const Variable& found = variable_of(made, of.name);
        EXPECT_EQ(found.type->name, of.type) << of.declaration;
        EXPECT_EQ(found.space, of.space) << of.declaration;
        EXPECT_EQ(found.is_const, of.is_const) << of.declaration;
    }
}

TEST(Parse, Parameters) {
    const Compiled made = parsed(
        "int g(int a[4], const float* b, local int c[], global const int4* restrict d);\n"
        "kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
        "void f(global int* out, constant float* table, local int* buf, const uint n, float4 v) "
        "{}");
    const auto types = [&](const char* function) {
        std::string names;
        for (const Variable* of : made.tree->find(function)->parameters)
            names += of->name + ": " + of->type->name + "; ";
        return names;
    };
    EXPECT_EQ(types("g"), "a: int*; b: const float*; c: local int*; d: global const int4*; ");
    EXPECT_EQ(types("f"),
              "out: global int*; table: constant const float*; buf: local int*; n: uint; "
              "v: float4; ");
    EXPECT_TRUE(kernel_of(made).is_kernel);
    EXPECT_EQ(kernel_of(made).required_group, (std::vector<std::uint64_t>{64, 1, 1}));
    EXPECT_EQ(made.tree->find("g")->body, nullptr);
    EXPECT_EQ(made.tree->kernels().size(), 1U);
}

TEST(Parse, ListsOfValues) {
    struct List {
        const char* declaration;
        std::vector<std::uint64_t> offsets;
    };
    const List all[] = {
        {"int x[3] = {1, 2, 3};", {0, 4, 8}},
        {"int x[3] = {1,};", {0}},
        {"int x[2][2] = {{1}, {2, 3}};", {0, 8, 12}},
        {"int x[2][2] = {1, 2, 3};", {0, 4, 8}},
        {"struct { char a; int b; } x = {1, 2};", {0, 4}},
        {"struct { char a; int b[2]; double c; } x = {1, {2}, 3};", {0, 4, 16}},
        {"struct { char a; int b[2]; double c; } x = {1, 2, 3, 4};", {0, 4, 8, 16}},
        {"struct P { int a, b; }; struct P x[2] = {{1}, {2, 3}};", {0, 8, 12}},
        {"union { float a; int b; } x = {1};", {0}},
        {"int4 x[2] = {{1, 2, 3, 4}, (int4)(5)};", {0, 16}},
    };
    for (const List& of : all) {
        const Compiled made =
            parsed(fmt::format("kernel void f(global int* out) {{ {} }}", of.declaration));
        EXPECT_EQ(variable_of(made, "x").initial->offsets, of.offsets) << of.declaration;
    }
}

TEST(Parse, Statements) {
    const Compiled made = parsed(
        "kernel void f(global int* out, int n) {\n"
        "    ;\n"
        "    { int a = n; out[0] = a; }\n"
        "    if (n) out[1] = 1; else if (n > 2) out[1] = 2; else out[1] = 3;\n"
        "    for (int i = 0, k = 1; i < n; ++i, ++k) out[i] = k;\n"
        "    for (;;) break;\n"
        "    while (n--) continue;\n"
        "    do { out[2]++; } while (out[2] < n);\n"
        "    switch (n) { case 1: case 2: out[3] = 1; break; default: out[3] = 2; }\n"
        "    return;\n"
        "}");
    const auto& all = kernel_of(made).body->statements;
    const SKind kinds[] = {SKind::empty, SKind::block, SKind::if_,     SKind::loop,   SKind::loop,
                           SKind::loop,  SKind::do_,   SKind::switch_, SKind::return_};
    ASSERT_EQ(all.size(), std::size(kinds));
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(all[i]->kind, kinds[i]) << i;
    ASSERT_EQ(all[2]->statements.size(), 2U);  // else belongs to the nearest if
    EXPECT_EQ(all[2]->statements[1]->statements.size(), 2U);
    EXPECT_EQ(all[3]->initial->statements.size(), 2U);
    EXPECT_EQ(all[4]->condition, nullptr);
    EXPECT_EQ(all[4]->step, nullptr);
    const Statement& choice = *all[7];
    ASSERT_EQ(choice.cases.size(), 3U);
    EXPECT_EQ(choice.cases[0].before, 0U);
    EXPECT_EQ(choice.cases[1].before, 0U);
    EXPECT_EQ(choice.cases[1].value, 2U);
    EXPECT_TRUE(choice.cases[2].is_default);
    EXPECT_EQ(choice.cases[2].before, 2U);
}

TEST(Parse, WhatIsKnownOfVariables) {
    const Compiled made = parsed(
        "kernel void f(global int* out, int given, int counted, int4 v) {\n"
        "    int once = 1; int pointed = 2; int array[2]; int4 w = v;\n"
        "    int* p = &pointed; --counted; w.x = 1; local int shared;\n"
        "    out[0] = once + *p + given + array[0];\n"
        "}");
    EXPECT_FALSE(variable_of(made, "given").is_assigned);
    EXPECT_TRUE(variable_of(made, "given").is_argument);
    EXPECT_TRUE(variable_of(made, "counted").is_assigned);
    EXPECT_FALSE(variable_of(made, "once").is_assigned);
    EXPECT_FALSE(variable_of(made, "once").in_memory);
    EXPECT_TRUE(variable_of(made, "pointed").in_memory);
    EXPECT_TRUE(variable_of(made, "array").in_memory);
    EXPECT_TRUE(variable_of(made, "w").is_assigned);
    EXPECT_FALSE(variable_of(made, "w").in_memory);
    EXPECT_TRUE(variable_of(made, "shared").in_memory);
}

TEST(Parse, ScopesHideOuterNames) {
    const Compiled made = parsed(
        "constant int x = 1;\n"
        "kernel void f(global int* out, int n) {\n"
        "    out[0] = x; float x = 2; { char x = 3; out[1] = x; }\n"
        "    for (long x = 0; x < 1; ++x) out[2] = x;\n"
        "    typedef int n_t; n_t y = x; enum { N = 4 }; { int N = 5; out[N] = y; }\n"
        "    out[3] = sizeof x + N;\n"
        "}");
    EXPECT_EQ(shape(*last_of(made).condition), "((*(out -> 3)) = (4 + 4))");
}

TEST(Parse, StructuresLayTheirMembersOut) {
    const Compiled made = parsed(
        "struct S { char a; short b; int3 c; char d[3]; double e; struct { uchar f, g; }; };\n"
        "kernel void f(global struct S* out) { }");
    const Type& of = *kernel_of(made).parameters[0]->type->element;
    std::vector<std::uint64_t> offsets;
    for (const Type::Member& member : of.members)
        offsets.push_back(member.offset);
    EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 2, 16, 32, 40, 48}));
    EXPECT_EQ(of.bytes, 64U);
    EXPECT_EQ(of.alignment, 16U);
}

TEST(Parse, CallsAreOfWhatIsDefined) {
    const Compiled made = parsed(
        "int later(int x);\n"
        "float min3(float a, float b, float c) { return fmin(a, fmin(b, c)); }\n"
        "kernel void f(global int* out) { out[0] = later(2) + min3(1, 2, 3); }\n"
        "int later(int x) { return x + 1; }\n"
        "kernel void unused(global int* out) { }");
    EXPECT_EQ(kernel_of(made).calls.size(), 2U);
    EXPECT_EQ(kernel_of(made).calls[0]->name, "later");
    EXPECT_NE(kernel_of(made).calls[0]->body, nullptr);
    EXPECT_EQ(made.tree->kernels().size(), 2U);
}

// Deep nesting is an error, not the end of the program.
TEST(Parse, DepthIsBounded) {
    const auto fails = [](const std::string& text) {
        const Compiled made = compile({"k.cl", "kernel void f(global int* out) { " + text, ""});
        return made.diagnostics.failed();
    };
    const auto many = [](const char* text, std::size_t count) {
        std::string made;
        for (std::size_t i = 0; i < count; ++i)
            made += text;
        return made;
    };
    for (const std::size_t depth : {std::size_t{300}, std::size_t{100'000}}) {
        EXPECT_TRUE(fails("out[0] = " + many("(", depth) + "1" + many(")", depth) + "; }"));
        EXPECT_TRUE(fails("out[0] = " + many("- ", depth) + "1; }"));
        EXPECT_TRUE(fails(many("{", depth) + many("}", depth) + " }"));
        EXPECT_TRUE(fails(many("if (out[0]) ", depth) + "; }"));
        EXPECT_TRUE(fails("out[0] = " + many("1 ? 1 : ", depth) + "1; }"));
    }
    EXPECT_TRUE(fails("out[0] = 1" + many(" + 1", 2000) + "; }"));
    EXPECT_FALSE(fails("out[0] = 1" + many(" + 1", 500) + "; }"));
    EXPECT_FALSE(fails("out[0] = " + many("(", 40) + "1" + many(")", 40) + "; }"));
}

}  // namespace
}  // namespace lab::lang
