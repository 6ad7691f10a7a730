// What steps of the ladder gained, by results: a row of each beside one of the step before it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "catalogue/gain.h"
#include "results/result.h"

namespace lab::results {

// The kind of a device as `gain` names it: "cpu", "gpu", or empty for others.
std::string gain_kind(const DeviceInfo& device);

// Where no factor can be told it is 0, and the rows say why: missing, wrong, or never ranked.
struct MeasuredGain {
    const Row* row = nullptr;  // of the step in the form that is meant, else one that is not ranked
    const Row* before = nullptr;  // of the step before it
    double factor = 0;            // times as fast, by the medians
    double low = 0, high = 0;     // by the quartiles of the step's own times
};

// For one device's rows, at n elements. Only rows of the forms that the headers mean, and which are
// ranked, give a factor.
MeasuredGain measured_gain(std::span<const Row* const> rows,
                           std::span<const catalogue::GainStep> steps,
                           const catalogue::GainStep& step, std::uint64_t n);

// The row of a step, or of what steps come after, as above.
const Row* row_of_step(std::span<const Row* const> rows, std::span<const catalogue::GainStep> steps,
                       const std::string& id, std::uint64_t n);

// How many of `steps` have a factor, by n.
std::map<std::uint64_t, std::size_t> gains_by_size(std::span<const Row* const> rows,
                                                   std::span<const catalogue::GainStep> steps);

// The largest of these n at which more than half as many have one as at the best; 0: none.
std::uint64_t size_of_gains(const std::map<std::uint64_t, std::size_t>& by_size);

}  // namespace lab::results
