#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "lang/preprocess.h"

namespace lab::lang {
namespace {

struct Processed {
    Sources sources;
    Diagnostics diagnostics;
    Preprocessed output;

    explicit Processed(std::string text) : Processed(Sources{{"k.cl", std::move(text)}}) {}
    explicit Processed(Sources of) : sources(std::move(of)) {
        output = preprocess(sources, diagnostics);
    }

    // Tokens with one space where there is white space; "" where there are errors.
    std::string text() const {
        EXPECT_EQ(text_of(diagnostics, sources), "");
        return spelling(output.tokens);
    }
    std::string message() const {
        return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
    }
    const Token& token(std::string_view text) const {
        for (const Token& one : output.tokens)
            if (one.text == text) return one;
        return output.tokens.back();
    }
};

std::string text(std::string of) {
    return Processed(std::move(of)).text();
}
std::string message(std::string text) {
    return Processed(std::move(text)).message();
}

TEST(Macros, ExpandAgainAsInExample3OfC99) {
    EXPECT_EQ(text("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n"
                   "#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n"
                   "#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n"
                   "#define str(x) # x\n"
                   "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n"
                   "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
                   "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n"
                   "char c[2][6] = { str(hello), str() };\n"),
              "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);"
              " f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);"
              " int i[] = { 1, 23, 4, 5, };"
              " char c[2][6] = { \"hello\", \"\" }; ");
}

TEST(Macros, QuoteAndPasteAsInExample4OfC99) {
    EXPECT_EQ(text("#define str(s) # s\n#define xstr(s) str(s)\n"
                   "#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n"
                   "               x ## s, x ## t)\n"
                   "#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n"
                   "#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n"
                   "#define LOW LOW \", world\"\n"
                   "debug(1, 2);\n"
                   "fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n"
                   " == 0) str(: @\\n), s);\n"
                   "xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n"),
              "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);"
              " fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s);"
              " \"vers2.h\" \"hello\"; \"hello\" \", world\" ");
}

TEST(Macros, PasteAsInTheOtherExamplesOfC99) {
    EXPECT_EQ(
        text("#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
             "#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);"),
        "char p[] = \"x ## y\";");
    EXPECT_EQ(text("#define t(x,y,z) x ## y ## z\n"
                   "int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), "
                   "t(,,) };"),
              "int j[] = { 123, 45, 67, 89, 10, 11, 12, };");
}

TEST(Macros, TakeFurtherArgumentsAsInExample7OfC99) {
    EXPECT_EQ(text("#define debug(...) fprintf(stderr, __VA_ARGS__)\n"
                   "#define showlist(...) puts(#__VA_ARGS__)\n"
                   "#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n"
                   "debug(\"X = %d\\n\", x); showlist(The first, second, and third items.);\n"
                   "report(x>y, \"x is %d but y is %d\", x, y);"),
              "fprintf(stderr, \"X = %d\\n\", x); puts(\"The first, second, and third items.\");"
              " ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));");
    EXPECT_EQ(text("#define p(f, ...) printf(f, ## __VA_ARGS__)\np(a) p(a,) p(a,b,c)"),
              "printf(a) printf(a) printf(a,b,c)");
}

TEST(Macros, WithoutParenthesisAreLeftAlone) {
    EXPECT_EQ(text("#define f(a) <a>\nf f; f (1) f\n(2)"), "f f; <1> <2>");
    EXPECT_EQ(text("#define f(a) <a>\n#define g f\n#define e\ng(1) g e (2)"), "<1> f (2)");
    EXPECT_EQ(text("#define f(a) <a>\nf\n#define x\n(1)"), "f (1)");
    EXPECT_EQ(text("#define f(a) <a>\nf"), "f");
    EXPECT_EQ(text("#define f() x\nf() f( )"), "x x");
}

TEST(Macros, StayThemselvesWithinThemselves) {
    EXPECT_EQ(text("#define foo (4 + foo)\nfoo"), "(4 + foo)");
    EXPECT_EQ(text("#define a b\n#define b a\na b"), "a b");
    EXPECT_EQ(text("#define f(x) g(x) f\n#define g(x) f(x)\nf(1)(2)"), "f(1) f(2)");
}

TEST(Macros, ReadOnFromOneSourceToTheNext) {
    const Processed run({{"<options>", "#define T float\n#define F(a) [a]\n#if 1\nF"},
                         {"k.cl", "(T)\n#endif\n__FILE__ __LINE__ __COUNTER__ __COUNTER__"}});
    EXPECT_EQ(run.text(), "[float] \"k.cl\" 3 0 1");
    EXPECT_EQ(run.output.tokens.back().place.file, 1);
}

TEST(Macros, OfElementsMakeThePlainKernel) {
    const Processed run(
        {{"<options>",
          "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#define T double\n"
          "#define COMBINE(a, b) fmin((a), (b))\n#define IDENTITY ((T)INFINITY)\n"
          "#define WITH_OPERATOR(prefix) prefix##min\n"},
         {"k.cl",
          "#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n#define T4 JOIN(T, 4)\n"
          "T4 x = COMBINE(COMBINE(a[0], IDENTITY),\n  y);\r\nWITH_OPERATOR(atomic_)(p, T);"}});
    EXPECT_EQ(run.text(),
              "double4 x = fmin((fmin((a[0]), (((double)INFINITY)))), (y)); "
              "atomic_min(p, double);");
}

TEST(Macros, PlacesSayWhereAndWhence) {
    const Processed run({{"<o>", "#define IN(a) a+q\n"},
                         {"k.cl", "#define OUT(b) IN(b) r##b\n  OUT(v) IN(IN(w))"}});
    EXPECT_EQ(run.text(), "v+q rv w+q+q");
    EXPECT_EQ(run.token("v").place, (Place{.file = 1, .line = 2, .column = 7, .length = 1}));
    const Place q{
        .file = 1, .line = 2, .column = 3, .length = 3, .macro_line = 1, .macro_column = 17};
    EXPECT_EQ(run.token("q").place, q);
    const Place pasted{.file = 1,
                       .macro_file = 1,
                       .line = 2,
                       .column = 3,
                       .length = 3,
                       .macro_line = 1,
                       .macro_column = 22};
    EXPECT_EQ(run.token("rv").place, pasted);
    EXPECT_EQ(run.token("w").place, (Place{.file = 1, .line = 2, .column = 16, .length = 1}));
}

TEST(Macros, ErrorsSayWhatWasExpected) {
    const std::string combine =
        "#define COMBINE(a, b) a b\n#define NONE() x\n#define V(a, ...) a\n";
    EXPECT_EQ(message(combine + "COMBINE(1, 2, 3)"),
              "macro 'COMBINE' takes 2 arguments, but 3 are given");
    EXPECT_EQ(message(combine + "COMBINE(1)"), "macro 'COMBINE' takes 2 arguments, but 1 is given");
    EXPECT_EQ(message(combine + "COMBINE()"),
              "macro 'COMBINE' takes 2 arguments, but none is given");
    EXPECT_EQ(message(combine + "NONE(1)"), "macro 'NONE' takes no arguments, but 1 is given");
    EXPECT_EQ(message(combine + "COMBINE((1, 2)"),
              "the arguments of macro 'COMBINE' have no closing ')'");
    EXPECT_EQ(message(combine + "COMBINE(1,\n#if 1\n2)\n#endif"),
              "a directive cannot stand among the arguments of macro 'COMBINE'");
    EXPECT_EQ(message("#define c(a, b) a##b\nc(+,/)"), "'+' ## '/' makes no valid token");
    EXPECT_EQ(message("#define c(a, b) a##b\nc(/,/)"), "'/' ## '/' makes no valid token");
    EXPECT_EQ(message("#define c(a) #a\nc(\\)"), "'#' makes no valid string of this argument");
}

TEST(Macros, DefinitionsAreChecked) {
    EXPECT_EQ(message("#define"),
              "expected a macro's name after #define, but found the end of the line");
    EXPECT_EQ(message("#define 3"), "expected a macro's name after #define, but found '3'");
    EXPECT_EQ(message("#define f(a"),
              "expected ',' or ')' after parameter 'a', but found the end of the line");
    EXPECT_EQ(message("#define f(a,)"), "expected a parameter's name, but found ')'");
    EXPECT_EQ(message("#define f(...,a)"), "expected ')' after '...', but found ','");
    EXPECT_EQ(message("#define f(a,a)"), "two parameters of macro 'f' have the name 'a'");
    EXPECT_EQ(message("#define f(a) #b"),
              "expected one of the macro's parameters after '#', but found 'b'");
    EXPECT_EQ(message("#define f ## b"), "'##' needs a token before it and one after it");
    EXPECT_EQ(message("#define f a ##"), "'##' needs a token before it and one after it");
    EXPECT_EQ(message("#define f __VA_ARGS__"),
              "'__VA_ARGS__' stands only for the '...' of a macro's parameters");
    EXPECT_EQ(message("#define defined"), "'defined' cannot be a macro's name");
    EXPECT_EQ(message("#define __LINE__ 3"), "'__LINE__' cannot be redefined");
    EXPECT_EQ(message("#undef __FILE__"), "'__FILE__' cannot be undefined");
    EXPECT_EQ(message("#define f a  b\n#define f a b\n#undef g"), "");
    const Processed twice("#define f a\n#define f b\nf");
    EXPECT_FALSE(twice.diagnostics.failed());
    EXPECT_EQ(twice.message(), "macro 'f' is defined a second time, as something else");
}

bool holds(const std::string& condition) {
    const std::string result =
        text("#define ONE 1\n#define ADD(a, b) ((a) + (b))\n#define HAS defined(ONE)\n#if " +
             condition + "\nyes\n#else\nno\n#endif");
    return result.starts_with("yes");
}

TEST(Conditions, CountWith64Bits) {
    EXPECT_TRUE(holds("1 + 2 * 3 == 7 && 7 - 2 - 1 == 4 && 100 / 10 / 2 == 5"));
    EXPECT_TRUE(holds("0x7fffffffffffffff > 0 && 0xffffffffffffffff == -1"));
    EXPECT_TRUE(holds("-1 > 0u"));
    EXPECT_FALSE(holds("-1 > 0"));
    EXPECT_TRUE(holds("-7 / 2 == -3 && -7 % 2 == -1 && -8 >> 1 == -4 && 1 << 62 > 0"));
    EXPECT_TRUE(holds("(-0x7fffffffffffffff - 1) / -1 < 0 && (-0x7fffffffffffffff - 1) % -1 == 0"));
    EXPECT_TRUE(holds("(1 ? 2 : 3) == 2 && (0 ? 2 : 0 ? 4 : 5) == 5"));
    EXPECT_TRUE(holds("(0 ? 0u : -1) > 0"));
    EXPECT_TRUE(holds("'a' == 97 && '\\n' == 10 && '\\x41' == 'A' && '\\101' == 'A'"));
    EXPECT_TRUE(holds("010 == 8 && 0b11 == 3 && 5LU == 5 && !0 && ~0 == -1 && - -1 == 1"));
    EXPECT_TRUE(holds("(6 & 3 | 8 ^ 1) == 11 && 1 << 64 == 0 && -1 >> 99 == -1"));
}

TEST(Conditions, KnowMacros) {
    EXPECT_TRUE(holds("ONE && ADD(ONE, 1) == 2 && !UNKNOWN"));
    EXPECT_TRUE(
        holds("defined ONE && defined(ADD) && !defined UNKNOWN && HAS && defined __LINE__"));
    EXPECT_EQ(text("#ifdef X\na\n#else\nb\n#endif\n#ifndef X\nc\n#endif"), "b c");
    EXPECT_EQ(text("#define X\n#ifdef X\na\n#else\nb\n#endif"), "a");
}

TEST(Conditions, LeaveOutWhatIsNotRead) {
    EXPECT_TRUE(holds("1 || 1 / 0"));
    EXPECT_FALSE(holds("0 && 1 / 0"));
    EXPECT_EQ(text("#if 0\nit's \"so\n#else\nyes\n#endif"), "yes");
    EXPECT_EQ(
        text("#if 0\n#if 1 /\na\n#elif (\n#else x\nb\n#endif\n#foo\n#include <x>\n#elif 1\nc\n"
             "#elif 1 / 0\nd\n#else\ne\n#endif"),
        "c");
}

TEST(Conditions, ErrorsAreFound) {
    EXPECT_EQ(message("#if\n#endif"), "expected a condition, but found the end of the line");
    EXPECT_EQ(message("#if 1 / 0\n#endif"), "division by zero in this condition");
    EXPECT_EQ(message("#if 3 % (1 - 1)\n#endif"), "division by zero in this condition");
    EXPECT_EQ(message("#if 1.5\n#endif"), "'1.5' is no integer, which a condition needs");
    EXPECT_EQ(message("#if 1lul\n#endif"), "'1lul' is no integer, which a condition needs");
    EXPECT_EQ(message("#if 99999999999999999999\n#endif"), "this number does not fit into 64 bits");
    EXPECT_EQ(message("#if (1\n#endif"),
              "expected ')' in this condition, but found the end of the line");
    EXPECT_EQ(message("#if 1 +\n#endif"),
              "expected a value in this condition, but found the end of the line");
    EXPECT_EQ(message("#if 1 2\n#endif"),
              "expected an operator or the end of the line in this condition, but found '2'");
    EXPECT_EQ(message("#if has(x)\n#endif"), "'has' is no macro that takes arguments");
    EXPECT_EQ(message("#if defined 3\n#endif"),
              "expected a macro's name after 'defined', but found '3'");
    EXPECT_EQ(message("#ifdef\n#endif"),
              "expected a macro's name after #ifdef, but found the end of the line");
}

TEST(Conditions, AreClosed) {
    const Processed open("x\n  #if 1\ny");
    EXPECT_EQ(open.message(), "#if without #endif");
    EXPECT_EQ(open.diagnostics.all()[0].place, (Place{.line = 2, .column = 3, .length = 3}));
    EXPECT_EQ(message("#endif"), "#endif without #if");
    EXPECT_EQ(message("#else"), "#else without #if");
    EXPECT_EQ(message("#if 1\n#else\n#else\n#endif"), "#else after #else");
    EXPECT_EQ(message("#if 1\n#else\n#elif 1\n#endif"), "#elif after #else");
}

TEST(Directives, SayWhatTheyAre) {
    EXPECT_EQ(text("#pragma unroll\n#line 7 \"x\"\n# 12 \"y\"\n#\na"), "a");
    EXPECT_EQ(message("#include <a/b.h>"), "#include <a/b.h> is not found");
    EXPECT_EQ(message("#error don't  do this"), "#error don't  do this");
    EXPECT_EQ(message("#foo"), "'foo' is no directive");
    const Processed warned("#warning mind the gap\n#if 1\n#endif 1");
    EXPECT_FALSE(warned.diagnostics.failed());
    EXPECT_EQ(warned.message(), "#warning mind the gap");
    EXPECT_EQ(warned.diagnostics.all()[1].message, "what follows #endif here is ignored");
    EXPECT_EQ(text("a # b\nx /* \n */ # y"), "a # b x # y");
}

// Each of these files includes the next one twice: what is read doubles at every level.
TEST(Preprocess, FilesThatIncludeTooManyAreRefusedAtOnce) {
    const auto chain = [](int files) {
        Sources sources{{"k.cl", "#include \"0.h\"\nint x;"}};
        for (int i = 0; i < files; ++i) {
            const std::string next = std::to_string(i + 1) + ".h";
            const std::string line = i + 1 < files ? "#include \"" + next + "\"\n" : "a ";
            const std::string own = std::to_string(i) + ".h";
            sources.push_back({own, line + line, own});
        }
        return Processed(sources);
    };
    EXPECT_EQ(chain(3).text(), "a a a a a a a a int x;");
    EXPECT_EQ(chain(29).message(), "more than 10000 files are included");
    EXPECT_EQ(chain(29).diagnostics.all().size(), 1U);
    EXPECT_EQ(chain(60).diagnostics.all().size(), 1U);
    Sources once{{"k.cl", "#include \"a.h\"\n#include \"a.h\"\nint x;"},
                 {"a.h", "#pragma once\nint a;", "a.h"}};
    EXPECT_EQ(Processed(once).diagnostics.all().size(), 0U);
}

std::string repeated(std::string_view what, std::size_t times) {
    std::string all;
    while (times-- > 0)
        all += what;
    return all;
}

TEST(Bounds, HoldForAnyText) {
    std::string doubling = "#define a0 x x\n", empty = "#define a0\n", chain = "#define a0 x\n";
    for (int i = 1; i < 300; ++i) {
        const std::string name = "#define a" + std::to_string(i) + " ";
        const std::string last = "a" + std::to_string(i - 1);
        doubling += name + last + " " + last + "\n";
        empty += name + last + " " + last + "\n";
        chain += name + last + "\n";
    }
    for (const std::string& bomb : {
             doubling + "a60",
             empty + "a60",
             chain + "a299",
             "#define f(x) x\n" + repeated("f(", 3000) + repeated(")", 3000),
             "#define f(x) x\n" + repeated("f(", 100000),
             "#if " + repeated("(", 100000) + "1\n#endif",
             "#if " + repeated("1?", 100000) + "1\n#endif",
             repeated("x ", kMostTokens + 1),
             repeated("#if 1\n", 1000),
         })
        EXPECT_TRUE(Processed(bomb).diagnostics.failed()) << bomb.substr(0, 100);
    EXPECT_FALSE(Processed(chain + "a150").diagnostics.failed());
    EXPECT_EQ(Processed("#if " + repeated("!-", 100000) + "0\n#endif").message(), "");
    EXPECT_FALSE(Processed("#define f(x) " + repeated("x ", 2000) + repeated("\nf()", 1000))
                     .output.tokens.empty());
}

TEST(Bounds, NoTextHasOneToken) {
    EXPECT_EQ(Processed(Sources{}).output.tokens.size(), 1U);
    EXPECT_EQ(Processed("").output.tokens.size(), 1U);
}

}  // namespace

// expanded_text(), which preprocess.h declares.
namespace {

std::string expanded(const std::string& text) {
    return expanded_text({{"k.cl", text}}, 0);
}

constexpr const char* kElement =
    "#define T float\n#define COMBINE(a, b) ((a) + (b))\n#define IDENTITY ((T)0)\n#define SYNC 1\n";

TEST(ExpandedText, KeepsWhatIsNoMacro) {
    const std::string text =
        "\n\n\n/* a */ kernel  void f(int\tx) // it's\n{\n\n\n  x\\\ny;\n#pragma unroll T\n}";
    EXPECT_EQ(expanded(text), text);
    EXPECT_EQ(expanded(""), "");
}

TEST(ExpandedText, ReplacesMacrosOfTheSourcesBefore) {
    const Sources sources{
        {"<options>", kElement},
        {"k.cl", "T  sum = IDENTITY; // T\nsum=COMBINE( sum, /* one */ x[i] );\n"}};
    EXPECT_EQ(expanded_text(sources, 1), "float  sum = ((float)0); // T\nsum=((sum) + (x[i]));\n");
    EXPECT_EQ(expanded_text(sources, 0), "");
    EXPECT_EQ(expanded_text(sources, 2), "");
}

TEST(ExpandedText, KeepsTheNamesOfFences) {
    const Sources sources{{"<opencl>", "#define CLK_GLOBAL_MEM_FENCE 2\n#define N 4\n"},
                          {"k.cl", "barrier(CLK_GLOBAL_MEM_FENCE);\nx = N;\n"}};
    EXPECT_EQ(expanded_text(sources, 1), "barrier(CLK_GLOBAL_MEM_FENCE);\nx = 4;\n");
}

TEST(ExpandedText, KeepsTheNumberOfLines) {
    const std::string combine = "#define COMBINE(a, b) ((a) + (b))\n";
    EXPECT_EQ(expanded(combine + "a = COMBINE(b,\n            c); // d \\\n e\nf"),
              "a = ((b) + (c)); // d \\\n e\n\nf");
    EXPECT_EQ(expanded("#define F(a) a\r\nF(\r\nb) /*\r\n*/ c\r\nd"), "b /*\r\n*/ c\r\n\r\nd");
    EXPECT_EQ(expanded("#define F(a) a\nF(\nb)"), "b\n");
}

TEST(ExpandedText, DecidesConditionsAndLeavesNoGaps) {
    EXPECT_EQ(
        expanded("/* head */\n\n#define A 1\n\n#if A\n// yes\nyes\n#else\n// no\nno\n#endif\n\n"
                 "#undef A\n\nend\n\n#define B\n"),
        "/* head */\n\n// yes\nyes\n\nend\n");
    EXPECT_EQ(expanded("#define A\n\n\nx\n"), "x\n");
    EXPECT_EQ(expanded("a\n  #if 0 /* two\n lines */ // more\n b\n  #endif // A\nc"), "a\nc");
    EXPECT_EQ(expanded("a\n/* b */ #define X 1\nX"), "a\n/* b */ \n1");
}

TEST(ExpandedText, TokensStayApart) {
    EXPECT_EQ(expanded("#define N -1\n#define E\n#define P +\nx = -N; +E+ a+P b P+ P P 1.N"),
              "x = - -1; + + a+ + b + + + + 1.N");
    EXPECT_EQ(expanded("#define E\nf(E int E x,\n  E int y) E;\nE"), "f(int x,\n  int y) ;\n");
    EXPECT_EQ(expanded("#define E(x) x\n#define D /\nE(a)b E(1)E(2) D*c a E() b"),
              "a b 1 2 / *c a b");
}

TEST(ExpandedText, WhatCannotBeExpandedStays) {
    EXPECT_EQ(expanded("#define F(a) a\nF(1, 2) F(3)\n#include <x>\n#foo\nF(4"),
              "F(1, 2) 3\n#include <x>\n#foo\nF(4");
    EXPECT_EQ(expanded("a\n#if 1\nb\n#if 0\nc\n"), "a\nb\n");
    EXPECT_EQ(expanded("a\n#endif\nb"), "a\nb");
}

TEST(ExpandedText, IsAKernelForStudents) {
    std::ifstream file(LAB_SOURCE_DIR "/kernels/ladder_5_unrolled.cl");
    ASSERT_TRUE(file);
    std::stringstream text;
    text << file.rdbuf();
    const std::string shown = expanded_text({{"<options>", kElement}, {"k.cl", text.str()}}, 1);
    EXPECT_NE(shown.find("\nkernel void reduce(global const float* in, const ulong n,\n"),
              std::string::npos);
    EXPECT_NE(shown.find("    float sum = i < n ? in[i] : ((float)0);\n"), std::string::npos);
    EXPECT_NE(
        shown.find("            buf[lid] = ((buf[lid]) + (buf[lid + s]));\n\n        barrier("),
        std::string::npos);
    EXPECT_NE(shown.find("if (lid < 16) buf[lid] = ((buf[lid]) + (buf[lid + 16]));"),
              std::string::npos);
    EXPECT_EQ(shown.find('#'), std::string::npos);
    EXPECT_EQ(shown.find("\n\n\n"), std::string::npos);
}

}  // namespace
}  // namespace lab::lang
