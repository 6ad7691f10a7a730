// A small reduction, launch by launch: what the device's memory holds after each, and which
// elements went into each value.
#pragma once

#include <cstdint>
#include <vector>

#include "catalogue/plan.h"
#include "device/device.h"

namespace lab::device {

struct Origin {
    bool written = false;             // a work-item combined into the element, or made it anew
    std::vector<std::uint32_t> from;  // the elements before this launch that went into it
    std::int64_t item = -1;           // global id of the last work-item that combined into it
};

struct Step {
    catalogue::Values values;
    std::vector<Origin> origins;  // an element each
};

inline constexpr std::uint64_t kMostSteppedElements = 4096;

// Runs the plan with `input`, and reads its values back after each launch; `origins` come from
// runs of the same text in which T is a set of elements and COMBINE their union, so that the
// device itself tells who combined what; a variant that leaves combining to a library, or iterates,
// has none. Throws Problem for more than kMostSteppedElements, and
// where groups that wait for each other do not all run at once.
std::vector<Step> run_steps(const Device& device, const catalogue::Variant& variant,
                            const catalogue::Shape& shape, const catalogue::Plan& plan,
                            const catalogue::Values& input);

}  // namespace lab::device
