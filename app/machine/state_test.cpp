#include "machine/state.h"

#include <random>

#include <gtest/gtest.h>

namespace lab::machine {
namespace {

std::vector<std::uint32_t> ids(const GroupList& list) {
    std::vector<std::uint32_t> ids;
    for (const Shared<Group>& each : list)
        ids.push_back(each->id);
    return ids;
}

void add(GroupList& list, std::uint32_t id) {
    list.add().id = id;
}

TEST(GroupList, IsAListWhateverIsErased) {
    std::mt19937 random(1);
    for (const std::size_t most : {3U, 600U, 3000U}) {
        GroupList list;
        std::vector<std::uint32_t> expected;
        std::uint32_t next = 0;
        for (int round = 0; round < 6; ++round) {
            for (; list.size() < most; ++next) {
                add(list, 2 * next);
                expected.push_back(2 * next);
            }
            ASSERT_EQ(ids(list), expected);
            const GroupList before = list;
            for (std::size_t left = round == 5 ? most : random() % most; left > 0; --left) {
                const std::size_t kinds[] = {0, list.size() - 1, random() % list.size()};
                const std::size_t slot = kinds[(left + static_cast<std::size_t>(round)) % 3];
                list.erase(slot);
                expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(slot));
                if (left % 5 == 0) {
                    add(list, 2 * next);
                    expected.push_back(2 * next++);
                }
            }
            ASSERT_EQ(ids(list), expected);
            ASSERT_EQ(list.empty(), expected.empty());
            EXPECT_EQ(before.size(), most);  // a copy is its own
            for (std::size_t slot = 0; slot < expected.size(); ++slot) {
                ASSERT_EQ(list[slot]->id, expected[slot]);
                ASSERT_EQ(list.slot_from(expected[slot], 0, list.size()), slot);
                ASSERT_EQ(list.slot_from(expected[slot] + 1, 0, list.size()), slot + 1);
            }
        }
    }
}

// As long as each that ends moves all behind it, this takes many minutes.
TEST(GroupList, AMillionGroupsEndInAnyOrder) {
    constexpr std::uint32_t kMany = 1'000'000;
    std::mt19937 random(1);
    GroupList list;
    for (std::uint32_t id = 0; id < kMany; ++id)
        add(list, id);
    std::uint64_t sum = 0;
    while (!list.empty()) {
        const std::size_t slot = random() % list.size();
        sum += list[slot]->id;
        list.erase(slot);
    }
    EXPECT_EQ(sum, std::uint64_t{kMany} * (kMany - 1) / 2);
}

}  // namespace
}  // namespace lab::machine
