// For kernels whose groups wait for each other: whether all groups run at once.
#pragma once

#include <cstdint>
#include <optional>

#include "device/reduction.h"

namespace lab::device {

// prepare() and run(), repeated if a spin gave up, since a busy machine may delay a group. Empty if
// it gave up every time.
std::optional<Times> try_run(Reduction& reduction, const Runs& runs = {});

// The largest number of groups, up to those of `n` elements, with which no spin gives up; 0 if not
// even one group gets through. `shape` has the group.
std::uint64_t most_groups(const Device& device, const Program& program,
                          const catalogue::Variant& variant, const catalogue::Shape& shape,
                          std::uint64_t n);

Problem not_resident(const catalogue::Variant& variant, const catalogue::Plan& plan,
                     std::uint64_t most_groups);

}  // namespace lab::device
