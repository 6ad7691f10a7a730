// The same reduction by the host's own means, for comparison: what the device has to beat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "catalogue/element.h"

namespace lab::measure {

struct HostLoop {
    const char* id;
    const char* title;
    // Reduces the bytes, elements of that type; one element.
    catalogue::Values (*reduce)(catalogue::Op op, catalogue::Type type,
                                std::span<const std::byte> input);
    // Outside its time: its threads are made, and ended. OpenMP's would spin for milliseconds after
    // their work, under the time of whoever comes next.
    void (*before)();
    void (*after)();
    // Combinations on the longest way from an element to the result, at most.
    std::uint64_t (*depth)(std::uint64_t n);
};

// A plain loop; OpenMP threads and SIMD; TBB's std::reduce(par_unseq).
std::span<const HostLoop> host_loops();

}  // namespace lab::measure
