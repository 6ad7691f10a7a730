#include "figures/plot/spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace lab::figures {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

TEST(Spread, WhatHasRoomStays) {
    EXPECT_THAT(spread({50, 10, 90}, 10, 0, 100), ElementsAre(50, 10, 90));
}

TEST(Spread, NeighboursMoveApartEvenly) {
    EXPECT_THAT(spread({50, 50}, 10, 0, 100), ElementsAre(45, 55));
    EXPECT_THAT(spread({50, 52, 54}, 10, 0, 100),
                ElementsAre(FloatNear(42, 1e-3F), FloatNear(52, 1e-3F), FloatNear(62, 1e-3F)));
}

TEST(Spread, TheEdgesHold) {
    EXPECT_THAT(spread({0, 0}, 10, 0, 100), ElementsAre(0, 10));
    EXPECT_THAT(spread({100, 100}, 10, 0, 100), ElementsAre(90, 100));
}

TEST(Spread, KeepsOrderAndDistanceWhateverIsWanted) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> wish(-50, 450);
    for (int round = 0; round < 200; ++round) {
        std::vector<float> wanted(1 + random() % 40);
        for (float& each : wanted)
            each = wish(random);
        const std::vector<float> placed = spread(wanted, 10, 0, 400);
        ASSERT_EQ(placed.size(), wanted.size());
        std::vector<float> sorted = placed;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_GE(sorted.front(), -1e-3F);
        EXPECT_LE(sorted.back(), 400 + 1e-3F);
        for (std::size_t i = 1; i < sorted.size(); ++i)
            EXPECT_GE(sorted[i] - sorted[i - 1], 10 - 1e-3F);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            for (std::size_t j = 0; j < wanted.size(); ++j)
                if (wanted[i] < wanted[j]) {
                    EXPECT_LT(placed[i], placed[j]);
                }
    }
}

// No small move of any one label that keeps the distances comes nearer to what is wanted.
TEST(Spread, IsAsNearAsCanBe) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> wish(0, 100);
    for (int round = 0; round < 100; ++round) {
        std::vector<float> wanted(8);
        for (float& each : wanted)
            each = wish(random);
        std::sort(wanted.begin(), wanted.end());
        const std::vector<float> placed = spread(wanted, 10, 0, 200);
        for (std::size_t first = 0; first < wanted.size(); ++first)
            for (std::size_t last = first; last < wanted.size(); ++last)
                for (const float move : {-0.1F, 0.1F}) {
                    std::vector<float> moved = placed;
                    for (std::size_t i = first; i <= last; ++i)
                        moved[i] += move;
                    bool allowed = moved.front() >= 0 && moved.back() <= 200;
                    for (std::size_t i = 1; i < moved.size(); ++i)
                        allowed = allowed && moved[i] - moved[i - 1] >= 10;
                    if (!allowed) continue;
                    const auto cost = [&](const std::vector<float>& values) {
                        double sum = 0;
                        for (std::size_t i = 0; i < values.size(); ++i)
                            sum += std::pow(double(values[i]) - double(wanted[i]), 2);
                        return sum;
                    };
                    EXPECT_GE(cost(moved), cost(placed) - 1e-2);
                }
    }
}

}  // namespace
}  // namespace lab::figures
