#include "catalogue/number.h"

#include <gmock/gmock.h>

#include "base/problem.h"

namespace lab::catalogue {
namespace {

using testing::ElementsAre;

template <typename Act>
Problem problem_of(Act&& act) {
    try {
        act();
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no problem";
    return {};
}

TEST(Size, ReadsAllItsForms) {
    EXPECT_EQ(parse_size("0"), 0U);
    EXPECT_EQ(parse_size(" 1000 "), 1000U);
    EXPECT_EQ(parse_size("2^20"), 1U << 20U);
    EXPECT_EQ(parse_size("10Mi"), 10U << 20U);
    EXPECT_EQ(parse_size("3 Ki"), 3072U);
    EXPECT_EQ(parse_size("1e6"), 1'000'000U);
    EXPECT_EQ(parse_size("1.5k"), 1500U);
    EXPECT_EQ(parse_size("2^48"), std::uint64_t{1} << 48U);
}

TEST(Size, RefusesTheRest) {
    for (const char* text : {"", "x", "-1", "1.5", "2^", "^2", "2^99", "1e30", "inf", "nan",
                             "10Mib", "999999999999999999999", "2^49", "1 2", "1e14Gi"})
        EXPECT_THROW(parse_size(text), Problem) << text;
    try {
        parse_size("2^99", "--n");
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.why, "It is too large");
        EXPECT_EQ(problem.where, "--n");
    }
}

TEST(Extent, HasASizeForEachDimension) {
    EXPECT_EQ(parse_extent("64"), Extent(64));
    EXPECT_EQ(parse_extent("8x4"), Extent(8, 4));
    EXPECT_EQ(parse_extent("2^10 x 16x1"), Extent(1024, 16, 1));
    EXPECT_EQ(size_text(parse_extent("1x0")), "1x0");
    for (const char* text : {"", "x", "8x", "x8", "8x4x2x1", "8*4", "8x-4"})
        EXPECT_THROW(parse_extent(text), Problem) << text;
}

TEST(Size, IsShownAsShortAsItIsExact) {
    EXPECT_EQ(size_text(1U << 26U), "64 Mi");
    EXPECT_EQ(size_text(1000), "1000");
    EXPECT_EQ(size_text(0), "0");
    EXPECT_EQ(bytes_text(48 * 1024), "48 KiB");
}

TEST(Figure, HasFourDigitsAndNoExponent) {
    EXPECT_EQ(figure_text(0.40631), "0.4063");
    EXPECT_EQ(figure_text(24), "24.00");
    EXPECT_EQ(figure_text(2641.2), "2641");
    EXPECT_EQ(figure_text(123456.7), "123457");
    EXPECT_EQ(figure_text(0), "0.000");
}

TEST(Sizes, DoubleOverRangesAndSort) {
    EXPECT_THAT(parse_sizes("2^3..2^6"), ElementsAre(8, 16, 32, 64));
    EXPECT_THAT(parse_sizes("100..500"), ElementsAre(100, 200, 400, 500));
    EXPECT_THAT(parse_sizes("1000, 8, 8"), ElementsAre(8, 1000));
    EXPECT_THAT(parse_groups("256,64,256"), ElementsAre(256, 64));
    EXPECT_TRUE(parse_groups("").empty());
    EXPECT_THROW(parse_groups("0"), Problem);
    EXPECT_THROW(parse_sizes("0..8"), Problem);
    EXPECT_THROW(parse_sizes("16..8"), Problem);
    EXPECT_THROW(parse_sizes("8,"), Problem);
}

TEST(ValuesText, ReadsEverySeparator) {
    const Values values = parse_values("7, 1;6\n8\t-5\r\n+6", Type::int_, "input");
    EXPECT_THAT(std::get<std::vector<std::int32_t>>(values), ElementsAre(7, 1, 6, 8, -5, 6));
    EXPECT_EQ(count_of(parse_values(" \n", Type::float_, "input")), 0U);
    const Values floats = parse_values("1.5 2e3 inf", Type::float_, "input");
    EXPECT_EQ(text_of(floats, 1), "2000");
    EXPECT_EQ(text_of(floats, 2), "inf");
}

TEST(ValuesText, NamesLineAndColumnOfWhatIsNoNumber) {
    const Problem problem =
        problem_of([] { parse_values("1 2\n3 four 5", Type::int_, "numbers.txt"); });
    EXPECT_EQ(problem.where, "numbers.txt:2:3");
    EXPECT_NE(problem.what_happened.find("'four'"), std::string::npos);
}

TEST(ValuesText, TellsFractionsAndRangesApart) {
    EXPECT_NE(problem_of([] { parse_values("3.5", Type::int_, "x"); }).hint.find("float"),
              std::string::npos);
    for (const char* text : {"3000000000", "-3000000000"})
        EXPECT_NE(problem_of([&] {
                      parse_values(text, Type::int_, "x");
                  }).what_happened.find("does not fit"),
                  std::string::npos);
    EXPECT_NE(
        problem_of([] { parse_values("-1", Type::uint_, "x"); }).what_happened.find("does not fit"),
        std::string::npos);
    EXPECT_NO_THROW(parse_values("3000000000", Type::uint_, "x"));
    EXPECT_THROW(parse_values("1e400", Type::double_, "x"), Problem);
}

TEST(ValuesText, SurvivesAnyBytes) {
    std::string bytes;
    for (int i = 0; i < 256; ++i)
        bytes += static_cast<char>(i);
    const Problem problem = problem_of([&] { parse_values(bytes, Type::float_, "x"); });
    for (const char c : problem.what_happened)
        EXPECT_GE(c, 0x20);
}

}  // namespace
}  // namespace lab::catalogue
