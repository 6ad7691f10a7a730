#include <iostream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/problem.h"

namespace lab {
namespace {

TEST(Problem, TextHasAllFourParts) {
    const Problem problem("It fell", "it stood on the edge", "Move it", "shelf:3");
    EXPECT_EQ(problem.text(), "shelf:3: It fell\n  why:  it stood on the edge\n  hint: Move it");
    EXPECT_STREQ(problem.what(), problem.text().c_str());
}

TEST(Problem, EmptyPartsLeaveNoTrace) {
    EXPECT_EQ(Problem("It fell", "", "").text(), "It fell");
}

TEST(Problem, SurvivesJson) {
    const Problem problem("a", "b", "c", "d:1:2", Exit::kernel_fault);
    const auto back = nlohmann::json::parse(nlohmann::json(problem).dump()).get<Problem>();
    EXPECT_EQ(back.what_happened, "a");
    EXPECT_EQ(back.why, "b");
    EXPECT_EQ(back.hint, "c");
    EXPECT_EQ(back.where, "d:1:2");
    EXPECT_EQ(back.exit, Exit::kernel_fault);
    EXPECT_EQ(back.text(), problem.text());
}

TEST(Problem, FromJsonNeedsOnlyWhat) {
    const auto problem = nlohmann::json::parse(R"({"what": "a"})").get<Problem>();
    EXPECT_EQ(problem.text(), "a");
    EXPECT_EQ(problem.exit, Exit::usage);
}

}  // namespace
}  // namespace lab

namespace lab {
namespace {

using testing::HasSubstr;

}  // namespace
}  // namespace lab

namespace lab {
namespace {

TEST(Nearest, FindsWhatWasMeant) {
    const std::vector<std::string> known{"barrier", "get_local_id", "get_local_size", "min", "max"};
    EXPECT_EQ(nearest("barier", known), "barrier");
    EXPECT_EQ(nearest("get_locl_id", known), "get_local_id");
    EXPECT_EQ(nearest("get_loacl_size", known), "get_local_size");
    EXPECT_EQ(nearest("mni", known), "min");
    EXPECT_EQ(nearest("something", known), "");
    EXPECT_EQ(nearest("x", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(nearest("min", known), "");  // it is one
}

TEST(Nearest, AHintNamesItAndAllThereAre) {
    const std::vector<std::string> known{"add", "min", "max"};
    EXPECT_EQ(choices_hint("mni", known), "Did you mean min? Choose one of: add, min, max");
    EXPECT_EQ(choices_hint("other", known), "Choose one of: add, min, max");
}

TEST(ThrownBy, IsWhatWasThrown) {
    EXPECT_FALSE(thrown_by([] {}));
    const auto problem = thrown_by([] { throw Problem("It fails", "", ""); });
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->what_happened, "It fails");
}

}  // namespace
}  // namespace lab
