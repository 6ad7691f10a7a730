#include "results/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace lab::results {
namespace {

// 41 came without delays, 12 only with them.
Trials delayed_trials() {
    Trials trials;
    trials.count = trials.delayed = 10;
    trials.delays = 1;
    trials.results = {{"41", 10, true, 7}, {"12", 0, false, 3}};
    trials.predicted.complete = true;
    trials.predicted.results = {"41"};
    return trials;
}

TEST(Trials, AResultThatOnlyDelaysBringIsNewsToo) {
    Trials trials = delayed_trials();
    EXPECT_THAT(trials.unforeseen(), testing::ElementsAre("12"));
    trials.predicted.results.emplace_back("12");
    EXPECT_THAT(trials.unforeseen(), testing::IsEmpty());
}

TEST(Trials, BothRatesComeBackFromJson) {
    const auto read = nlohmann::json(delayed_trials()).get<Trials>();
    EXPECT_EQ(read.right(), 10U);
    EXPECT_EQ(read.delayed_right(), 7U);
    EXPECT_EQ(read.delayed, 10U);
    EXPECT_EQ(read.delays, 1U);
}

}  // namespace
}  // namespace lab::results
