// The elements for one size of a measurement, and room for their copies.
#pragma once

#include <cstdint>
#include <optional>

#include "base/problem.h"
#include "catalogue/shape.h"
#include "results/device_info.h"

namespace lab::measure {

// Bytes for the copies of an input: twice the cache, so that each has left it when its turn comes
// again, and at least two copies. An input far larger than the cache needs no second one: 0.
std::uint64_t pool_bytes(std::uint64_t cache, std::uint64_t input, bool warm);

Problem no_memory(std::optional<std::uint64_t> n);

// Throws Problem if so many elements do not fit into a buffer of the device, with what is needed
// and what is available. `where`: the option to blame.
void check_fits(const results::DeviceInfo& device, catalogue::Type type,
                std::optional<std::uint64_t> n, const char* where);

// The elements; empty `n`: as many as the input has. Throws Problem if the device or this machine
// cannot hold them.
catalogue::Values input_that_fits(const results::DeviceInfo& device, const catalogue::Shape& shape,
                                  std::optional<std::uint64_t> n);

}  // namespace lab::measure
