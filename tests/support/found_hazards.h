// The hazards of small kernels.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/hazards.h"
#include "support/example_job.h"
#include "support/translated_texts.h"

namespace lab::analysis {

using machine::Example;
using machine::SchedulingPolicy;

inline std::vector<Hazard> hazards_in(const Example& example, SchedulingPolicy order = {},
                                      std::uint32_t lanes = 4, std::uint32_t resident = 0) {
    RaceDetector detector;
    machine::Recording recording;
    recording.trace = false;
    recording.observers.push_back(&detector);
    const auto run = play(machine::job_of(example, lanes, resident), std::move(order), recording);
    EXPECT_FALSE(run.fault());
    std::vector<Hazard> hazards = hazards_of(run, detector);
    for (const Hazard& each : hazards)
        for (const std::string* text : {&each.what, &each.why, &each.hint})
            expect_translated(*text);
    return hazards;
}

inline SchedulingPolicy in_order() {
    return machine::order_of(SchedulingPolicy::Kind::in_order);
}
inline SchedulingPolicy list(std::vector<machine::ScheduleSlice> turns) {
    SchedulingPolicy order = machine::order_of(SchedulingPolicy::Kind::list);
    order.turns = std::move(turns);
    return order;
}

// Item i writes its cell, then reads its neighbour's.
inline Example neighbours(const std::string& between) {
    return {
        "kernel void k(global int* out, local int* buf)\n{\n    const int i = get_local_id(0);\n"
        "    buf[i] = i + 10;\n    " +
            between + "\n    out[i] = buf[(i + 1) % 4];\n}\n",
        4,
        4,
        {{}},
        4,
        {4}};
}

}  // namespace lab::analysis
