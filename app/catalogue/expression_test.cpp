#include "catalogue/expression.h"

#include <gtest/gtest.h>

#include "base/problem.h"

namespace lab::catalogue {
namespace {

const std::vector<std::string> kKnown{"n", "group"};

std::int64_t value(const std::string& text, std::int64_t n = 10, std::int64_t group = 4) {
    return Expression(text, kKnown)({{"n", n}, {"group", group}});
}

TEST(Expression, FollowsPrecedenceAndParentheses) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("20 - 5 - 3"), 12);
    EXPECT_EQ(value("100 / 5 / 2"), 10);
    EXPECT_EQ(value("-2 * 3"), -6);
    EXPECT_EQ(value("1 + 2 < 4 && n == 10 || 0"), 1);
    EXPECT_EQ(value("!(n >= 10) || group != 4"), 0);
    EXPECT_EQ(value("17 % 5 <= 2"), 1);
}

TEST(Expression, KnowsTheFunctions) {
    EXPECT_EQ(value("round_up(n, group)"), 12);
    EXPECT_EQ(value("div_up(n, group)"), 3);
    EXPECT_EQ(value("log2(n)"), 4);
    EXPECT_EQ(value("log2(1) + log2(0)"), 0);
    EXPECT_EQ(value("log2(1024)"), 10);
    EXPECT_EQ(value("power_of_two(group)"), 1);
    EXPECT_EQ(value("power_of_two(n) + power_of_two(0)"), 0);
    EXPECT_EQ(value("max(min(n, 3), 2)"), 3);
    EXPECT_EQ(value("power_of_two_up(n)"), 16);
    EXPECT_EQ(value("power_of_two_up(0) + power_of_two_up(16)"), 17);
    EXPECT_EQ(value("choose(n > 5, 1, 2) * 10 + choose(0, 1, 2)"), 12);
}

TEST(Expression, RefusesWhatIsNone) {
    for (const char* text : {"", "1 +", "(1", "1)", "2 3", "m", "sqrt(2)", "min(1)", "choose(1, 2)",
                             "1 $ 2", "99999999999999999999", "n n"})
        EXPECT_THROW(Expression(text, kKnown), Problem) << text;
    EXPECT_THROW(Expression(std::string(100'000, '('), kKnown), Problem);
    EXPECT_THROW(Expression(std::string(100'000, '!') + "1", kKnown), Problem);
}

TEST(Expression, NeedsOnlyWhatCounts) {
    EXPECT_EQ(value("n > 0 && 100 / n > 2", 0), 0);
    EXPECT_EQ(value("n == 0 || 100 / n > 2", 0), 1);
    EXPECT_EQ(value("choose(n, 100 / n, 7)", 0), 7);
    EXPECT_THROW(value("n == 0 && 100 / n > 2", 0), Problem);
    EXPECT_THROW(value("100 / n > 2 && n > 0", 0), Problem);
}

TEST(Expression, RefusesOverflowAndDivisionByZero) {
    EXPECT_THROW(value("n / (group - 4)"), Problem);
    EXPECT_THROW(value("n % 0"), Problem);
    EXPECT_THROW(value("9223372036854775807 + 1"), Problem);
    EXPECT_THROW(value("n * 9223372036854775807"), Problem);
    EXPECT_THROW(value("round_up(9223372036854775807, 4)"), Problem);
    EXPECT_THROW(value("power_of_two_up(9223372036854775807)"), Problem);
}

TEST(CppExpression, KeepsTheMeaning) {
    const std::vector<std::string> known{"n", "group", "cpu", "op", "add"};
    const auto cpp = [&](const char* text, int least = 0) {
        return cpp_text(Expression(text, known), {{"op", 2}, {"add", 0}}, least);
    };
    EXPECT_EQ(cpp("div_up(n, 2 * group) * group"), "div_up(n, 2 * group) * group");
    EXPECT_EQ(cpp("n - (group - 1)"), "n - (group - 1)");
    EXPECT_EQ(cpp("(n - group) - 1"), "n - group - 1");
    EXPECT_EQ(cpp("(n + 1) * 2"), "(n + 1) * 2");
    EXPECT_EQ(cpp("-(n + 1)"), "-(n + 1)");
    EXPECT_EQ(cpp("!(n > 1) || n == 2 && group"), "!(n > 1) || (n == 2 && group)");
    EXPECT_EQ(cpp("min(7, choose(cpu, n, 1) + 1)"), "min(7, (cpu ? n : 1) + 1)");
    EXPECT_EQ(cpp("choose(cpu, n, 1)"), "cpu ? n : 1");
    EXPECT_EQ(cpp("op == add"), "2 == 0");
    EXPECT_EQ(cpp("n + 1", kFactor), "(n + 1)");
}

}  // namespace
}  // namespace lab::catalogue
