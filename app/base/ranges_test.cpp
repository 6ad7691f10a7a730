#include "base/ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lab {
namespace {

using testing::ElementsAre;

const std::vector<int> kSmall{3, 1, 2, 1};

TEST(Ranges, SayWhatTheirElementsAre) {
    const auto is_one = [](int each) { return each == 1; };
    EXPECT_TRUE(any_of(kSmall, is_one));
    EXPECT_FALSE(all_of(kSmall, is_one));
    EXPECT_FALSE(none_of(kSmall, is_one));
    EXPECT_EQ(count_if(kSmall, is_one), 2U);
    EXPECT_TRUE(contains(kSmall, 2));
    EXPECT_FALSE(contains(kSmall, 4));
}

TEST(Ranges, FindTheFirst) {
    EXPECT_EQ(find_if(kSmall, [](int each) { return each < 3; }), &kSmall[1]);
    EXPECT_EQ(find_if(kSmall, [](int each) { return each > 3; }), nullptr);
    EXPECT_EQ(position_of(kSmall, 1), 1U);
    EXPECT_EQ(position_of(kSmall, 4), kSmall.size());
}

TEST(Ranges, PutReplacesWhatHasTheSameKey) {
    std::vector<std::string> names{"data", "out"};
    const auto letter = [](const std::string& name) { return name.front(); };
    put_by(names, "other", letter);
    put_by(names, "total", letter);
    EXPECT_THAT(names, ElementsAre("data", "other", "total"));
}

TEST(Ranges, SumAndMapTakeMembers) {
    struct Row {
        std::uint64_t n;
        std::string name;
    };
    const std::vector<Row> rows{{2, "a"}, {3, "b"}};
    EXPECT_EQ(sum_of(rows, &Row::n), 5U);
    EXPECT_THAT(mapped<std::string>(rows, &Row::name), ElementsAre("a", "b"));
}

TEST(Ranges, SortKeepsToAnOrder) {
    std::vector<int> numbers = kSmall;
    sort(numbers);
    EXPECT_THAT(numbers, ElementsAre(1, 1, 2, 3));
    stable_sort(numbers, std::greater<>());
    EXPECT_THAT(numbers, ElementsAre(3, 2, 1, 1));
}

}  // namespace
}  // namespace lab
