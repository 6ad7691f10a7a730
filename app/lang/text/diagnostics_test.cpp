#include "lang/text/diagnostics.h"

#include <gtest/gtest.h>

namespace lab::lang {
namespace {

using Severity = Diagnostic::Severity;

std::string shown(const std::string& line, std::uint32_t column, std::uint32_t length) {
    const std::string text =
        text_of({Severity::error, {.line = 1, .column = column, .length = length}, "m", ""},
                {{"k.cl", line}});
    return text.substr(text.find('\n') + 1);
}

TEST(Diagnostics, ReadsAsACompilersMessage) {
    const Sources sources{{"kernels/relaunch.cl", "\n  data[id] = spam;\r\n"}};
    const Place place{.line = 2, .column = 14, .length = 4};
    EXPECT_EQ(text_of({Severity::error, place, "'spam' is not declared", "Declare it"}, sources),
              "kernels/relaunch.cl:2:14: error: 'spam' is not declared\n"
              "    data[id] = spam;\n"
              "               ^~~~\n"
              "  hint: Declare it\n");
    EXPECT_EQ(text_of({Severity::warning, {}, "no place", ""}, sources), "warning: no place\n");
}

TEST(Diagnostics, CaretLinesUpBehindTabsAndOtherAlphabets) {
    EXPECT_EQ(shown("\tx\ty", 4, 1), "  \tx\ty\n  \t \t^\n");
    EXPECT_EQ(shown("\xc3\xa9\xe2\x82\xac x", 7, 1), "  \xc3\xa9\xe2\x82\xac x\n     ^\n");
    EXPECT_EQ(shown("x \xc3\xa9z", 3, 3), "  x \xc3\xa9z\n    ^~\n");
}

TEST(Diagnostics, PlacesBeyondTheLineAreItsEnd) {
    EXPECT_EQ(shown("ab", 3, 0), "  ab\n    ^\n");
    EXPECT_EQ(shown("ab", 99, 99), "  ab\n    ^\n");
    EXPECT_EQ(shown("ab", 2, 4000000000U), "  ab\n   ^\n");
    EXPECT_EQ(shown("", 1, 1), "  \n  ^\n");
    EXPECT_EQ(shown("ab", 0, 0), "  ab\n  ^\n");
}

TEST(Diagnostics, NothingReachesTheTerminalThatControlsIt) {
    EXPECT_EQ(shown("a\x1b[1m\xff\xc2\x85\xe2\x80\xaez", 2, 1), "  a?[1m???z\n   ^\n");
    const Sources sources{{"k\x1b.cl", "x"}};
    EXPECT_EQ(
        text_of({Severity::error, {.line = 1, .column = 1, .length = 1}, "a\nb", "\x07"}, sources),
        "k?.cl:1:1: error: a?b\n  x\n  ^\n  hint: ?\n");
}

TEST(Diagnostics, LongLinesAreAWindow) {
    const std::string line = std::string(1000, 'a') + "bcd" + std::string(1000, 'e');
    const std::string text = shown(line, 1001, 3);
    EXPECT_EQ(text, "  ..." + std::string(40, 'a') + "bcd" + std::string(77, 'e') + "...\n" +
                        std::string(45, ' ') + "^~~\n");
    EXPECT_EQ(shown(line, 2, 1), "  " + std::string(120, 'a') + "...\n   ^\n");
    EXPECT_LT(shown(line, 1, 5000).size(), 300U);
}

TEST(Diagnostics, SaysWhichMacroItCameFrom) {
    Sources sources{{"k.cl", "#define AT(i) in[j]\nx = AT(1);"}};
    Place place{.line = 2, .column = 5, .length = 2, .macro_line = 1, .macro_column = 18};
    EXPECT_EQ(text_of({Severity::error, place, "'j' is not declared", ""}, sources),
              "k.cl:2:5: error: 'j' is not declared\n"
              "  x = AT(1);\n"
              "      ^~\n"
              "  in the expansion of macro 'AT': k.cl:1:18\n"
              "    #define AT(i) in[j]\n"
              "                     ^\n");
    sources.push_back({"<options>", "#define AT(i) in[j]"});
    place.macro_file = 1;
    const std::string text = text_of({Severity::error, place, "m", ""}, sources);
    EXPECT_TRUE(text.ends_with("  in the expansion of macro 'AT', whose body is from <options>\n"));
}

TEST(Diagnostics, KeepsOneErrorOfALineAndTwentyInAll) {
    Diagnostics diagnostics;
    EXPECT_FALSE(diagnostics.failed());
    diagnostics.warning({.line = 1}, "w");
    EXPECT_FALSE(diagnostics.failed());
    diagnostics.error({.line = 1}, "first");
    diagnostics.error({.line = 1, .column = 9}, "second");
    diagnostics.error({.file = 1, .line = 1}, "of another file");
    EXPECT_TRUE(diagnostics.failed());
    EXPECT_EQ(diagnostics.all().size(), 3U);
    for (std::uint32_t line = 2; line < 100; ++line) {
        diagnostics.error({.line = line}, "e");
        diagnostics.warning({.line = line}, "w");
    }
    EXPECT_TRUE(diagnostics.full());
    EXPECT_EQ(diagnostics.all().size(), 2 * Diagnostics::kMost);
}

TEST(Diagnostics, AllAreOneProblem) {
    const Sources sources{{"k.cl", "one\ntwo\nthree\n"}};
    Diagnostics diagnostics;
    diagnostics.warning({.line = 1, .column = 1, .length = 3}, "w");
    diagnostics.error({.line = 2, .column = 1, .length = 3}, "two is wrong");
    Problem problem = problem_of(diagnostics, sources);
    EXPECT_EQ(problem.what_happened, "The kernel's text has 1 error");
    EXPECT_TRUE(problem.hint.empty());
    EXPECT_EQ(problem.where, "k.cl:2:1");
    EXPECT_EQ(problem.exit, Exit::kernel_fault);

    diagnostics.error({.line = 3, .column = 2, .length = 1}, "three too", "Write 3");
    problem = problem_of(diagnostics, sources);
    EXPECT_EQ(problem.what_happened, "The kernel's text has 2 errors");
    EXPECT_EQ(problem.text(),
              "k.cl:2:1: The kernel's text has 2 errors\n"
              "  why:  k.cl:1:1: warning: w\n"
              "          one\n"
              "          ^~~\n"
              "        k.cl:2:1: error: two is wrong\n"
              "          two\n"
              "          ^~~\n"
              "        k.cl:3:2: error: three too\n"
              "          three\n"
              "           ^\n"
              "          hint: Write 3");
    EXPECT_EQ(problem_of({}, sources).exit, Exit::kernel_fault);
}

TEST(Places, AreJoinedWithinALine) {
    const Place a{.line = 2, .column = 3, .length = 2}, b{.line = 2, .column = 8, .length = 4};
    EXPECT_EQ(joined(a, b), (Place{.line = 2, .column = 3, .length = 9}));
    EXPECT_EQ(joined(a, {.line = 3, .column = 1, .length = 1}), a);
    EXPECT_EQ(joined(a, {}), a);
}

TEST(Places, NameLines) {
    const Source source{"k", "one\r\ntwo\n\nfour\r"};
    EXPECT_EQ(line_of(source, 0), "");
    EXPECT_EQ(line_of(source, 1), "one");
    EXPECT_EQ(line_of(source, 2), "two");
    EXPECT_EQ(line_of(source, 3), "");
    EXPECT_EQ(line_of(source, 4), "four\r");  // a \r alone ends no line
    EXPECT_EQ(line_of(source, 5), "");
}

}  // namespace
}  // namespace lab::lang
