#include "insight/known_states.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(KnownStates, EachIsNewOnce) {
    KnownStates known;
    constexpr std::uint64_t kCount = 5000;  // the table grows several times
    for (std::uint64_t i = 0; i < kCount; ++i)
        EXPECT_TRUE(known.insert({i * 7919, i}));
    for (std::uint64_t i = 0; i < kCount; ++i)
        EXPECT_FALSE(known.insert({i * 7919, i}));
    EXPECT_EQ(known.size(), kCount);
}

TEST(KnownStates, KeysOfOnePlaceAreToldApart) {
    KnownStates known;
    for (std::uint64_t i = 0; i < 600; ++i)
        EXPECT_TRUE(known.insert({42, i}));
    EXPECT_TRUE(known.insert({0, 0}));
    EXPECT_FALSE(known.insert({0, 0}));
}

TEST(KnownStates, BytesAreThoseOfTheTable) {
    KnownStates known;
    for (std::uint64_t i = 0; i < 768; ++i)
        known.insert({i, i});
    EXPECT_EQ(known.bytes(), 1024U * 16);
    EXPECT_EQ(known.bytes_to_insert(), 3 * known.bytes());
    known.insert({768, 768});
    EXPECT_EQ(known.bytes(), 2048U * 16);
    EXPECT_EQ(known.bytes_to_insert(), known.bytes());
}

}  // namespace
}  // namespace lab
