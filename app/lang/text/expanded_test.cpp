// expanded_text(), which preprocess.h declares.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "lang/text/preprocess.h"

namespace lab::lang {
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
