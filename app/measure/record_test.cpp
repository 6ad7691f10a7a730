// On the first device of the machine. Which run goes wrong is chance; but each that was recorded
// has to be the simulator's, right or wrong.
#include "measure/record.h"

#include <gmock/gmock.h>

#include "measure/trials.h"
#include "support/first_device.h"
#include "support/shipped_kernels.h"

namespace lab::measure {
namespace {

using catalogue::shipped;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

results::RecordRequest request(const std::string& variant, std::uint64_t n, std::uint64_t group) {
    results::RecordRequest request;
    request.variant = variant;
    request.shape.n = n;
    request.shape.group = group;
    request.until = "run:1";
    return request;
}

results::RecordRequest story() {
    results::RecordRequest request;
    request.variant = "span-modulo";
    request.shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    request.shape.set = {{"BARRIER", "group"}};
    request.shape.group = 4;
    return request;
}

struct Kernel {
    const char* id;
    std::uint64_t n, group;
};
void PrintTo(const Kernel& kernel, std::ostream* out) {
    *out << kernel.id;
}

results::Recorded record_of(const results::RecordRequest& request) {
    return record(device::first_device(), shipped().find(request.variant), request);
}

class Recorded : public testing::TestWithParam<Kernel> {};

TEST_P(Recorded, IsARunOfTheSimulator) {
    const Kernel& kernel = GetParam();
    const results::Recorded recorded = record_of(request(kernel.id, kernel.n, kernel.group));
    EXPECT_EQ(recorded.run, 1U);
    EXPECT_EQ(recorded.difference, "");
    EXPECT_GT(recorded.accesses, kernel.n);
    EXPECT_EQ(recorded.plain.runs, recorded.recorded.runs);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Recorded,
    testing::Values(Kernel{"one-pass", 64, 16}, Kernel{"span-modulo", 64, 16},
                    Kernel{"span-scatter", 64, 8}, Kernel{"span-halving", 64, 8},
                    Kernel{"chunk-tree", 100, 16}, Kernel{"relaunch", 64, 16},
                    Kernel{"block-interleaved", 32, 16}, Kernel{"block-sequential", 32, 16},
                    Kernel{"block-local", 32, 16}, Kernel{"groups-atomic", 256, 32},
                    Kernel{"groups-coarsened", 512, 32}, Kernel{"local-master", 200, 32},
                    Kernel{"local-tree", 1000, 32}, Kernel{"ladder-1-modulo", 200, 32},
                    Kernel{"ladder-2-strided", 200, 32}, Kernel{"ladder-3-sequential", 200, 32},
                    Kernel{"ladder-4-first-add", 200, 32}, Kernel{"two-stage", 1000, 32},
                    Kernel{"two-stage", 500, 16}));

// After a `return` of all others the last group goes on alone; optimised, and with recording in it,
// PoCL 3.1 runs its end for an item too many.
TEST(Record, WhatTheLastGroupDoesIsTheSimulators) {
    for (const char* id : {"single-pass", "tile"})
        EXPECT_EQ(record_of(request(id, 1000, 32)).difference, "") << id;
}

TEST(Record, EveryRunOfABrokenKernelIsOneOfTheSimulators) {
    for (const int run : {1, 2, 5, 20}) {
        results::RecordRequest request = story();
        request.until = "run:" + std::to_string(run);
        const results::Recorded recorded = record_of(request);
        EXPECT_EQ(recorded.difference, "") << recorded.turns;
        EXPECT_THAT(recorded.result, AnyOf("27", "33", "41"));
        EXPECT_EQ(recorded.order,
                  "recorded on " + recorded.device + ", run " + std::to_string(run));
    }
}

TEST(Record, DelaysBringOtherRunsThatAreTheSimulatorsToo) {
    results::RecordRequest request = story();
    request.delays = 1;
    for (const int run : {1, 3, 30}) {
        request.until = "run:" + std::to_string(run);
        EXPECT_EQ(record_of(request).difference, "");
    }
}

TEST(Record, FloatsAndLongsHaveTheirBits) {
    for (const auto type : {catalogue::Type::float_, catalogue::Type::long_}) {
        results::RecordRequest asked = request("local-tree", 300, 16);
        asked.shape.type = type;
        asked.shape.input = catalogue::parse_input("random:7");
        const results::Recorded recorded = record_of(asked);
        EXPECT_EQ(recorded.difference, "");
        EXPECT_TRUE(recorded.right);
    }
}

TEST(Record, WhatNeverComesIsSaid) {
    results::RecordRequest asked = request("local-tree", 64, 16);
    asked.until = "wrong";
    asked.count = 5;
    const results::Recorded recorded = record_of(asked);
    EXPECT_EQ(recorded.run, 0U);
    EXPECT_EQ(recorded.recorded.runs, 5U);
    EXPECT_EQ(recorded.recorded.wrong, 0U);
    EXPECT_EQ(recorded.turns, "");
}

TEST(Record, WhatCannotBeRecordedIsSaid) {
    const auto why = [](const results::RecordRequest& request) {
        try {
            record_of(request);
        } catch (const Problem& problem) {
            return problem.what_happened;
        }
        return std::string("nothing");
    };
    EXPECT_THAT(why(request("span-modulo", 1 << 20, 64)), HasSubstr("too many to be recorded"));
    EXPECT_THAT(why(request("local-master", 65'536, 1024)), Not(HasSubstr("crash")));
    results::RecordRequest bad = story();
    bad.until = "run:0";
    EXPECT_THAT(why(bad), HasSubstr("no number of a run"));
}

TEST(Trials, CountRunsWithDelaysBesideTheOthers) {
    results::TrialsRequest request;
    request.variant = "span-modulo";
    request.shape = story().shape;
    request.count = 200;
    request.delays = 1;
    const results::Trials result =
        trials(device::first_device(), shipped().find(request.variant), request);
    EXPECT_EQ(result.count, 200U);
    EXPECT_EQ(result.delayed, 200U);
    std::uint64_t plain = 0, delayed = 0;
    for (const results::TrialResult& each : result.results) {
        plain += each.count;
        delayed += each.delayed;
    }
    EXPECT_EQ(plain, 200U);
    EXPECT_EQ(delayed, 200U);
    EXPECT_TRUE(result.unforeseen().empty());
}

}  // namespace
}  // namespace lab::measure
