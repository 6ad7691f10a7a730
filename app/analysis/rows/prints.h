// What a run's kernels printed, as a list in the order of the schedule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

struct PrintedText {
    std::uint64_t item = 0;
    std::string item_name;               // "3", or its coordinates
    std::uint32_t launch = 0, line = 0;  // from 1
    // Actions after which it is seen. What comes before its launch's first action is seen with it.
    std::uint64_t time = 0;
    std::string text;  // without the end of its line
};

// Whether there is a call of printf in what is launched, which may print nothing.
bool calls_printf(const machine::Run& run);
std::uint32_t line_of(const machine::Run& run, const machine::Print& print);
std::vector<PrintedText> printed_texts(const machine::Run& run);

}  // namespace lab::analysis
