// What one size of a measurement takes: its elements, and room for their copies.
#pragma once

#include <cstdint>
#include <optional>

#include "base/problem.h"
#include "catalogue/shape.h"
#include "results/device_info.h"

namespace lab::measure {

// Bytes for the copies of an input: twice the cache, so that each is gone from it when its turn
// comes again, and two of them at least. An input far larger than the cache needs no second one: 0.
std::uint64_t pool_bytes(std::uint64_t cache, std::uint64_t input, bool warm);

Problem no_memory(std::optional<std::uint64_t> n);

// Throws Problem, as the machine does of what it cannot take, where so many elements do not fit
// into a buffer of the device: what they need, and what there is. `where` is the option that asks.
void check_fits(const results::DeviceInfo& device, catalogue::Type type,
                std::optional<std::uint64_t> n, const char* where);

// The elements; `n` nothing: as many as the input has. Throws Problem where neither the device nor
// this machine could hold them.
catalogue::Values input_that_fits(const results::DeviceInfo& device, const catalogue::Shape& shape,
                                  std::optional<std::uint64_t> n);

}  // namespace lab::measure
