// The launch shape in which a kernel is fastest: a small table by kind of device in its header.
#pragma once

#include <string>
#include <vector>

#include "catalogue/header.h"
#include "catalogue/variant.h"

namespace lab::catalogue {

// Reads the keys `shape` ("gpu: group = 512, K = 4") and `tune` ("group, K"), once the toggles are
// known. Throws Problem naming the line.
void read_launch_shapes(const Header& header, Variant& into);

// The shape for these kinds of device, each overriding the one before it: {"gpu", "nvidia"}. What
// no line names stays unset.
LaunchShape launch_shape(const Variant& variant, const std::vector<std::string>& kinds);

// `over` where it sets something, else `under`.
LaunchShape layered(LaunchShape under, const LaunchShape& over);

// "group=512 K=4"
std::string text_of(const LaunchShape& shape);

// The neighbours of `at` that a search may try for one of the variant's `tune`: every other value
// of a toggle; 1/8, 1/2, 2 and 8 times a group size, within 1 to `most` work-items.
std::vector<LaunchShape> neighbours(const Variant& variant, const LaunchShape& shape,
                                    const std::string& name, std::uint64_t most);

}  // namespace lab::catalogue
