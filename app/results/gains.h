// The measured gain of each step of the ladder over the step before it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "catalogue/kernel.h"
#include "results/result.h"

namespace lab::results {

// The kind of a device as `gain` names it: "cpu", "gpu", or empty for others.
std::string gain_kind(const DeviceInfo& device);

// `factor` is 0 if there is none; the rows show why: missing, wrong, or not ranked.
struct MeasuredGain {
    const Row* row =
        nullptr;  // of the step with the header's settings, else one that is not ranked
    const Row* before = nullptr;  // of the step before it
    double factor = 0;            // speedup, by the medians
    double low = 0, high = 0;     // by the quartiles of the step's own times
};

// For one device's rows, at n elements. Only ranked rows with the headers' settings give a factor.
MeasuredGain measured_gain(std::span<const Row* const> rows,
                           std::span<const catalogue::GainStep> steps,
                           const catalogue::GainStep& step, std::uint64_t n);

// The row of a step or of its predecessor, as above.
const Row* row_of_step(std::span<const Row* const> rows, std::span<const catalogue::GainStep> steps,
                       const std::string& id, std::uint64_t n);

// How many of `steps` have a factor, by n.
std::map<std::uint64_t, std::size_t> gains_by_size(std::span<const Row* const> rows,
                                                   std::span<const catalogue::GainStep> steps);

// The largest of these n that more than half as many have as the best one; 0: none.
std::uint64_t common_size(const std::map<std::uint64_t, std::size_t>& by_size);

}  // namespace lab::results
