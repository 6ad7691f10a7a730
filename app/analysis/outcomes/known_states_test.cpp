#include "analysis/outcomes/known_states.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

TEST(KnownStates, EachIsNewOnce) {
    KnownStates known;
    constexpr std::uint64_t kCount = 5000;  // the table grows several times
    for (std::uint64_t i = 0; i < kCount; ++i)
        EXPECT_TRUE(known.insert({i * 7919, i}).fresh);
    for (std::uint64_t i = 0; i < kCount; ++i)
        EXPECT_FALSE(known.insert({i * 7919, i}).fresh);
    EXPECT_EQ(known.size(), kCount);
    EXPECT_EQ(known.insert({4000 * 7919, 4000}).number, 4000U);
}

TEST(KnownStates, KeysOfOnePlaceAreToldApart) {
    KnownStates known;
    for (std::uint64_t i = 0; i < 600; ++i)
        EXPECT_TRUE(known.insert({42, i}).fresh);
    EXPECT_TRUE(known.insert({0, 0}).fresh);
    EXPECT_FALSE(known.insert({0, 0}).fresh);
}

TEST(KnownStates, BytesAreThoseOfTheTable) {
    KnownStates known;
    for (std::uint64_t i = 0; i < 768; ++i)
        known.insert({i, i});
    EXPECT_EQ(known.bytes(), 1024U * 20);
    EXPECT_EQ(known.bytes_to_insert(), 3 * known.bytes());
    known.insert({768, 768});
    EXPECT_EQ(known.bytes(), 2048U * 20);
    EXPECT_EQ(known.bytes_to_insert(), known.bytes());
}

}  // namespace
}  // namespace lab::analysis
