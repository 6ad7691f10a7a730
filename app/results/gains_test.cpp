#include "results/gains.h"

#include <gtest/gtest.h>

namespace lab::results {
namespace {

Row row_of(const std::string& variant, std::uint64_t n, double ms,
           std::map<std::string, std::string> set = {}) {
    Row row;
    row.variant = variant;
    row.n = n;
    row.set = std::move(set);
    row.launches = 1;
    row.right = true;
    for (const double part : {0.8, 1.0, 1.25})
        row.device_ms.push_back(part * ms);
    return row;
}

struct Held {
    std::vector<Row> rows;
    std::vector<const Row*> shown() const {
        std::vector<const Row*> result;
        for (const Row& row : rows)
            result.push_back(&row);
        return result;
    }
};

catalogue::GainStep step_of(const std::string& id, const std::string& after,
                            std::map<std::string, std::string> set = {}) {
    catalogue::GainStep step{id, {}};
    step.gain.after = after;
    step.gain.set = std::move(set);
    return step;
}

const std::vector<catalogue::GainStep> kSteps{
    step_of("b", "a"), step_of("c", "b", {{"SYNC", "barrier"}}), step_of("d", "c")};

TEST(Gains, AreTimesAsFastAsTheStepBefore) {
    const Held held{{row_of("a", 64, 6), row_of("b", 64, 2)}};
    const auto rows = held.shown();
    const MeasuredGain gain = measured_gain(rows, kSteps, kSteps[0], 64);
    EXPECT_DOUBLE_EQ(gain.factor, 3);
    EXPECT_EQ(gain.row, rows[1]);
    EXPECT_EQ(gain.before, rows[0]);
    EXPECT_LT(gain.low, 3);
    EXPECT_GT(gain.high, 3);
    EXPECT_EQ(measured_gain(rows, kSteps, kSteps[0], 128).factor, 0);
}

TEST(Gains, AreOfTheFormThatTheHeaderMeans) {
    Row other = row_of("c", 64, 0.1);
    other.expect = "races";
    Held held{{row_of("b", 64, 2), other, row_of("d", 64, 1)}};
    MeasuredGain gain = measured_gain(held.shown(), kSteps, kSteps[1], 64);
    EXPECT_EQ(gain.factor, 0);
    ASSERT_NE(gain.row, nullptr);  // and it can be told that it races
    EXPECT_EQ(gain.row->expect, "races");
    EXPECT_EQ(measured_gain(held.shown(), kSteps, kSteps[2], 64).factor, 0);
    held.rows.push_back(row_of("c", 64, 1.6, {{"SYNC", "barrier"}}));
    EXPECT_DOUBLE_EQ(measured_gain(held.shown(), kSteps, kSteps[1], 64).factor, 1.25);
    EXPECT_DOUBLE_EQ(measured_gain(held.shown(), kSteps, kSteps[2], 64).factor, 1.6);
}

TEST(Gains, ARightRowInAnotherFormIsNoStep) {
    const Held held{{row_of("a", 64, 6), row_of("b", 64, 2, {{"K", "8"}})}};
    EXPECT_EQ(measured_gain(held.shown(), kSteps, kSteps[0], 64).row, nullptr);
}

TEST(Gains, WhatIsWrongGivesNoneToEitherSide) {
    Held held{{row_of("a", 64, 6), row_of("b", 64, 2), row_of("c", 64, 1, {{"SYNC", "barrier"}})}};
    held.rows[1].right = false;
    EXPECT_EQ(measured_gain(held.shown(), kSteps, kSteps[0], 64).factor, 0);
    EXPECT_EQ(measured_gain(held.shown(), kSteps, kSteps[1], 64).factor, 0);
}

TEST(Gains, TheSizeIsTheLargestThatHasMost) {
    const Held held{{row_of("a", 64, 6), row_of("b", 64, 2),
                     row_of("c", 64, 1, {{"SYNC", "barrier"}}), row_of("d", 64, 1),
                     row_of("a", 128, 6), row_of("b", 128, 2),
                     row_of("c", 128, 1, {{"SYNC", "barrier"}}), row_of("a", 256, 6),
                     row_of("b", 256, 2), row_of("a", 512, 6)}};
    const auto sizes = gains_by_size(held.shown(), kSteps);
    EXPECT_EQ(sizes, (std::map<std::uint64_t, std::size_t>{{64, 3}, {128, 2}, {256, 1}}));
    EXPECT_EQ(common_size(sizes), 128U);
    EXPECT_EQ(common_size({}), 0U);
}

TEST(Gains, KnowTheKindsOfTheHeaders) {
    DeviceInfo device;
    device.kind = "CPU";
    EXPECT_EQ(gain_kind(device), "cpu");
    device.kind = "GPU";
    EXPECT_EQ(gain_kind(device), "gpu");
    device.kind = "accelerator";
    EXPECT_EQ(gain_kind(device), "");
}

}  // namespace
}  // namespace lab::results
