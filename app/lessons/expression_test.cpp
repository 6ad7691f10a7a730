#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lessons/expression.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using testing::HasSubstr;

class Expressions : public testing::Test {
  protected:
    double value(const std::string& text) {
        return Expression(text, runs_.library())(show_, runs_);
    }
    Problem problem(const std::string& text) {
        try {
            (void)value(text);
        } catch (const Problem& found) {
            return found;
        }
        ADD_FAILURE() << text << " has a value";
        return {};
    }

    Runs runs_{{catalogue::shipped(), {}}};
    Show show_ = shown({{"kernel", "span-modulo"},
                        {"set", "BARRIER=group"},
                        {"input", "7,1,6,8,5,6,7,1"},
                        {"group", "4"}});
};

TEST_F(Expressions, OperatorsBindAsInC) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("10 - 3 - 2"), 5);
    EXPECT_EQ(value("2 * 3 ^ 2"), 18);
    EXPECT_EQ(value("-2 + 5"), 3);
    EXPECT_EQ(value("1 + 1 == 2 && 3 < 2 || 1"), 1);
    EXPECT_EQ(value("0 && 1 || 1"), 1);
    EXPECT_EQ(value("0 && (1 || 1)"), 0);
    EXPECT_EQ(value("!0 + !3"), 1);
    EXPECT_EQ(value("1 <= 1"), 1);
    EXPECT_EQ(value("2 != 2"), 0);
    EXPECT_EQ(value("7 % 4"), 3);
    EXPECT_EQ(value("7 / 2"), 3.5);  // real numbers
    EXPECT_EQ(value("--3"), 3);
}

TEST_F(Expressions, TheRightSideMayHaveNoMeaningWhereTheLeftDecides) {
    EXPECT_EQ(value("0 && 1 / 0"), 0);
    EXPECT_EQ(value("1 || cell(99, 0)"), 1);
    EXPECT_THAT(problem("1 / 0").what_happened, HasSubstr("zero"));
    EXPECT_THAT(problem("1 % (2 - 2)").what_happened, HasSubstr("zero"));
}

TEST_F(Expressions, RangesHaveAVariable) {
    EXPECT_EQ(value("sum(i = 0..7, input(i))"), 41);
    EXPECT_EQ(value("count(i = 0..7, input(i) > 6)"), 3);
    EXPECT_EQ(value("most(i = 0..7, input(i))"), 8);
    EXPECT_EQ(value("least(i=0..7, input(i))"), 1);
    EXPECT_EQ(value("sum(i = 1..3, sum(k = 1..i, k))"), 10);
    EXPECT_EQ(value("sum(i = 3..1, 1)"), 0);
    EXPECT_THAT(problem("sum(i = 0..10^9, 1)").what_happened, HasSubstr("too long"));
}

TEST_F(Expressions, AnotherRunIsNamedByWhatDiffers) {
    EXPECT_EQ(value("n"), 8);
    EXPECT_EQ(value("n(n=1000)"), 1000);
    EXPECT_EQ(value("launches(relaunch, n=1024, group=256)"), 10);
    EXPECT_EQ(value("input(0, input=\"3,4\")"), 3);
    EXPECT_EQ(value("cell(1, 0, input=\"3,4,5,6,7,8,9,1\")"), 7);
    EXPECT_EQ(value("results"), 3);
    EXPECT_EQ(value("results(span-modulo, n=8, group=8, BARRIER=group)"),
              1);                   // a toggle by its name
    EXPECT_EQ(value("n == 8"), 1);  // no key of show
}

TEST_F(Expressions, WhatIsWrongIsSaidWithItsColumn) {
    EXPECT_EQ(problem("1 + ").where, "5");
    EXPECT_EQ(problem("(1 + 2").where, "7");
    EXPECT_EQ(problem("1 2").where, "3");
    EXPECT_EQ(problem("3 + pases").where, "5");
    EXPECT_EQ(problem("3 + pases").hint, "Is it passes?");
    EXPECT_EQ(problem("2 * cell(1)").where, "5");
    EXPECT_THAT(problem("cell(1)").what_happened, HasSubstr("2 arguments"));
    EXPECT_THAT(problem("n(3)").what_happened, HasSubstr("no arguments"));
    EXPECT_THAT(problem("busy(1, 2)").what_happened, HasSubstr("0 to 1"));
    EXPECT_THAT(problem("min(1)").what_happened, HasSubstr("2 arguments"));
    EXPECT_EQ(problem("n(input=\"7,1").what_happened, "The value does not end");
    EXPECT_EQ(problem("sum(3, 4)").where, "6");
    EXPECT_EQ(problem("#").where, "1");
    EXPECT_THAT(problem("zebra").hint, HasSubstr("docs/lessons.md"));
    EXPECT_THAT(problem(std::string(500, '(')).what_happened, HasSubstr("deeply"));
    EXPECT_THAT(problem(std::string(500, '-')).what_happened, HasSubstr("deeply"));
}

TEST_F(Expressions, ValuesThatARunDoesNotHave) {
    EXPECT_THAT(problem("cell(9, 0)").what_happened, HasSubstr("no pass 9"));
    EXPECT_THAT(problem("cell(1, 8)").what_happened, HasSubstr("no cell 8"));
    EXPECT_THAT(problem("cell(1, 0 - 1)").what_happened, HasSubstr("no place"));
    EXPECT_THAT(problem("shortest(34)").what_happened, HasSubstr("No schedule gives 34"));
    EXPECT_THAT(problem("result(n=100000)").text(), HasSubstr("4096"));
}

TEST_F(Expressions, NumbersAsText) {
    EXPECT_EQ(text_of(22), "22");
    EXPECT_EQ(text_of(3.5), "3.5");
    EXPECT_EQ(text_of(1.0 / 3), "0.3333");
    EXPECT_EQ(text_of(-4), "-4");
    EXPECT_EQ(text_of(1e9), "1000000000");
    EXPECT_EQ(text_of(16777218.5), "16777218.5");
}

}  // namespace
}  // namespace lab::lessons
