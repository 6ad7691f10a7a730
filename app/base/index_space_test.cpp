#include "base/index_space.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(IndexSpace, OfOneDimensionNumbersAreGlobalIds) {
    const NDRange range(12, 4);
    EXPECT_TRUE(range.plain());
    EXPECT_EQ(range.items(), 12U);
    EXPECT_EQ(range.groups(), 3U);
    EXPECT_EQ(text_of(range), "12 work-items in groups of 4");
    const IndexSpace space(range);
    for (std::uint64_t item = 0; item < 12; ++item) {
        EXPECT_EQ(space.item_name(item), std::to_string(item));
        EXPECT_EQ(space.global_id(item / 4, item % 4, 0), item);
        EXPECT_EQ(space.global_id(item / 4, item % 4, 1), 0U);
    }
    EXPECT_EQ(space.group_name(2), "2");
}

TEST(IndexSpace, AnOffsetMovesGlobalIdsOnly) {
    const NDRange range(1, {8, 1, 1}, {4, 1, 1}, {100, 0, 0});
    EXPECT_FALSE(range.plain());
    const IndexSpace space(range);
    EXPECT_EQ(space.item_name(5), "105");
    EXPECT_EQ(space.group_name(1), "1");
    EXPECT_EQ(space.local_id(1, 0), 1U);
    EXPECT_EQ(space.global_linear_id(1, 1), 5U);
    EXPECT_EQ(text_of(range), "8 work-items in groups of 4, from 100 on");
}

TEST(IndexSpace, OfSeveralDimensionsXIsFastest) {
    const NDRange range(2, {8, 4, 1}, {4, 2, 1}, {1, 0, 0});
    const IndexSpace space(range);
    EXPECT_EQ(range.num_groups(), (Coordinates{2, 2, 1}));
    EXPECT_EQ(space.group_name(1), "(1,0)");
    EXPECT_EQ(space.group_name(2), "(0,1)");
    // Group (0,1), the sixth of its work-items: (1,1) in the group.
    EXPECT_EQ(space.item_name(2 * 8 + 5), "(2,3)");
    EXPECT_EQ(space.global_linear_id(2, 5), 3U * 8 + 1);
    EXPECT_EQ(text_of(range), "8x4 work-items in groups of 4x2, from 1x0 on");
}

TEST(IndexSpace, EachWorkItemHasOnePlaceAndEachPlaceItsNumber) {
    const NDRange range(3, {6, 4, 9}, {3, 2, 3}, {5, 0, 7});
    const IndexSpace space(range);
    std::vector<bool> seen(range.items());
    for (std::uint64_t item = 0; item < range.items(); ++item) {
        const std::vector<std::uint64_t> id = space.global_id(item);
        ASSERT_EQ(id.size(), 3U);
        EXPECT_EQ(space.item({id[0], id[1], id[2]}), item);
        const std::uint64_t linear =
            space.global_linear_id(item / range.group_items(), item % range.group_items());
        ASSERT_LT(linear, seen.size());
        EXPECT_FALSE(seen[linear]);
        seen[linear] = true;
    }
}

TEST(IndexSpace, SizesThatNoNumberHoldsAreTheLargest) {
    const std::uint64_t large = std::uint64_t{1} << 40U;
    EXPECT_EQ(NDRange(2, {large, large, 1}, {1, 1, 1}).items(), ~std::uint64_t{0});
}

}  // namespace
}  // namespace lab
