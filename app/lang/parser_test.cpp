// What the parser makes of a text: how operators bind, declarators, lists of values, statements.
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lang/compile.h"
#include "lang/parser.h"

namespace lab::lang {
namespace {

using EKind = Expression::Kind;
using SKind = Statement::Kind;

Compiled parsed(const std::string& text) {
    Compiled compiled = compile({"k.cl", text, ""}, "f");
    EXPECT_FALSE(compiled.diagnostics.failed()) << text_of(compiled.diagnostics, compiled.sources);
    return compiled;
}

const FunctionDefinition& kernel_of(const Compiled& compiled) {
    return *compiled.tree->find("f");
}

const Statement& last_of(const Compiled& compiled) {
    return *kernel_of(compiled).body->statements.back();
}

const Variable& variable_of(const Compiled& compiled, std::string_view name) {
    for (const Variable& variable : compiled.tree->variables)
        if (variable.name == name) return variable;
    throw std::runtime_error("no such variable");
}

// With brackets around everything; conversions are left out.
std::string shape(const Expression& expression) {
    static constexpr const char* kSigns[] = {"+",  "-",  "*", "/",  "%", "<<", ">>", "&", "|", "^",
                                             "==", "!=", "<", "<=", ">", ">=", "-",  "~", "!"};
    const auto part = [&](std::size_t i) { return shape(*expression.operands[i]); };
    const char* sign = kSigns[static_cast<std::size_t>(expression.operator_)];
    switch (expression.kind) {
        case EKind::constant:
            return std::to_string(static_cast<std::int64_t>(expression.bits));
        case EKind::variable:
            return expression.variable->name;
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
            return expression.prefix
                       ? fmt::format("({}{})", expression.minus ? "--" : "++", part(0))
                       : fmt::format("({}{})", part(0), expression.minus ? "--" : "++");
        case EKind::dereference:
            return fmt::format("(*{})", part(0));
        case EKind::address:
            return fmt::format("(&{})", part(0));
        case EKind::offset:
            return fmt::format("({} {}> {})", part(0), expression.minus ? "<" : "-", part(1));
        case EKind::member:
            return fmt::format("{}.{}", part(0), expression.index);
        case EKind::swizzle: {
            std::string lanes;
            for (const std::uint8_t lane : expression.lanes)
                lanes += fmt::format("{:x}", lane);
            return fmt::format("{}.s{}", part(0), lanes);
        }
        case EKind::comma:
            return fmt::format("({}, {})", part(0), part(1));
        default:
            return expression.operands.empty() ? "?" : part(0);
    }
}

std::string shape_of(const std::string& expression) {
    const Compiled compiled = parsed(
        "struct P { int x; int4 v; };\n"
        "kernel void f(global int* g, int a, int b, int c, int d, int4 v) {\n"
        "struct P s; int* p = &a; " +
        expression + "; }");
    return shape(*last_of(compiled).condition);
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
    for (const Shaped& shaped : kAll)
        EXPECT_EQ(shape_of(shaped.expression), shaped.shape) << shaped.expression;
}

TEST(Parse, PlacesSpanTheirText) {
    const Compiled compiled = parsed(
        "kernel void f(global int* g, int a) {\n"
        "    g[a + 1] = (a * 2) + g[0];\n"
        "}");
    const Expression& whole = *last_of(compiled).condition;
    const auto span = [&](const Expression& expression) {
        return std::string(line_of(compiled.sources[kTextFile], expression.place.line)
                               .substr(expression.place.column - 1, expression.place.length));
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
    for (const Declared& declared : all) {
        const Compiled compiled =
            parsed(fmt::format("kernel void f(global int* out) {{ {} }}", declared.declaration));
        const Variable& found = variable_of(compiled, declared.name);
        EXPECT_EQ(found.type->name, declared.type) << declared.declaration;
        EXPECT_EQ(found.space, declared.space) << declared.declaration;
        EXPECT_EQ(found.is_const, declared.is_const) << declared.declaration;
    }
}

TEST(Parse, Parameters) {
    const Compiled compiled = parsed(
        "int g(int a[4], const float* b, local int c[], global const int4* restrict d);\n"
        "kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
        "void f(global int* out, constant float* table, local int* buf, const uint n, float4 v) "
        "{}");
    const auto types = [&](const char* function) {
        std::string names;
        for (const Variable* variable : compiled.tree->find(function)->parameters)
            names += variable->name + ": " + variable->type->name + "; ";
        return names;
    };
    EXPECT_EQ(types("g"), "a: int*; b: const float*; c: local int*; d: global const int4*; ");
    EXPECT_EQ(types("f"),
              "out: global int*; table: constant const float*; buf: local int*; n: uint; "
              "v: float4; ");
    EXPECT_TRUE(kernel_of(compiled).is_kernel);
    EXPECT_EQ(kernel_of(compiled).required_group, (std::vector<std::uint64_t>{64, 1, 1}));
    EXPECT_EQ(compiled.tree->find("g")->body, nullptr);
    EXPECT_EQ(compiled.tree->kernels().size(), 1U);
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
    for (const List& list : all) {
        const Compiled compiled =
            parsed(fmt::format("kernel void f(global int* out) {{ {} }}", list.declaration));
        EXPECT_EQ(variable_of(compiled, "x").initial->offsets, list.offsets) << list.declaration;
    }
}

TEST(Parse, Statements) {
    const Compiled compiled = parsed(
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
    const auto& all = kernel_of(compiled).body->statements;
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
    const Compiled compiled = parsed(
        "kernel void f(global int* out, int given, int counted, int4 v) {\n"
        "    int once = 1; int pointed = 2; int array[2]; int4 w = v;\n"
        "    int* p = &pointed; --counted; w.x = 1; local int shared;\n"
        "    out[0] = once + *p + given + array[0];\n"
        "}");
    EXPECT_FALSE(variable_of(compiled, "given").is_assigned);
    EXPECT_TRUE(variable_of(compiled, "given").is_argument);
    EXPECT_TRUE(variable_of(compiled, "counted").is_assigned);
    EXPECT_FALSE(variable_of(compiled, "once").is_assigned);
    EXPECT_FALSE(variable_of(compiled, "once").in_memory);
    EXPECT_TRUE(variable_of(compiled, "pointed").in_memory);
    EXPECT_TRUE(variable_of(compiled, "array").in_memory);
    EXPECT_TRUE(variable_of(compiled, "w").is_assigned);
    EXPECT_FALSE(variable_of(compiled, "w").in_memory);
    EXPECT_TRUE(variable_of(compiled, "shared").in_memory);
}

TEST(Parse, ScopesHideOuterNames) {
    const Compiled compiled = parsed(
        "constant int x = 1;\n"
        "kernel void f(global int* out, int n) {\n"
        "    out[0] = x; float x = 2; { char x = 3; out[1] = x; }\n"
        "    for (long x = 0; x < 1; ++x) out[2] = x;\n"
        "    typedef int n_t; n_t y = x; enum { N = 4 }; { int N = 5; out[N] = y; }\n"
        "    out[3] = sizeof x + N;\n"
        "}");
    EXPECT_EQ(shape(*last_of(compiled).condition), "((*(out -> 3)) = (4 + 4))");
}

TEST(Parse, StructuresLayTheirMembersOut) {
    const Compiled compiled = parsed(
        "struct S { char a; short b; int3 c; char d[3]; double e; struct { uchar f, g; }; };\n"
        "kernel void f(global struct S* out) { }");
    const Type& type = *kernel_of(compiled).parameters[0]->type->element;
    std::vector<std::uint64_t> offsets;
    for (const Type::Member& member : type.members)
        offsets.push_back(member.offset);
    EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 2, 16, 32, 40, 48}));
    EXPECT_EQ(type.bytes, 64U);
    EXPECT_EQ(type.alignment, 16U);
}

TEST(Parse, CallsAreOfWhatIsDefined) {
    const Compiled compiled = parsed(
        "int later(int x);\n"
        "float min3(float a, float b, float c) { return fmin(a, fmin(b, c)); }\n"
        "kernel void f(global int* out) { out[0] = later(2) + min3(1, 2, 3); }\n"
        "int later(int x) { return x + 1; }\n"
        "kernel void unused(global int* out) { }");
    EXPECT_EQ(kernel_of(compiled).calls.size(), 2U);
    EXPECT_EQ(kernel_of(compiled).calls[0]->name, "later");
    EXPECT_NE(kernel_of(compiled).calls[0]->body, nullptr);
    EXPECT_EQ(compiled.tree->kernels().size(), 2U);
}

// Deep nesting is an error, not the end of the program.
TEST(Parse, DepthIsBounded) {
    const auto fails = [](const std::string& text) {
        const Compiled compiled = compile({"k.cl", "kernel void f(global int* out) { " + text, ""});
        return compiled.diagnostics.failed();
    };
    const auto many = [](const char* text, std::size_t count) {
        std::string result;
        for (std::size_t i = 0; i < count; ++i)
            result += text;
        return result;
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
