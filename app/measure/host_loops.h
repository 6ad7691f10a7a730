// The same reduction on the host, for comparison: what the device has to beat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "catalogue/element.h"

namespace lab::measure {

struct HostLoop {
    const char* id;
    const char* title;
    // Reduces the bytes, elements of that type, to one element.
    catalogue::Values (*reduce)(catalogue::Op op, catalogue::Type type,
                                std::span<const std::byte> input);
    // Not timed: starts and ends its threads. OpenMP's would otherwise spin for milliseconds after
    // their work and disturb the next case.
    void (*before)();
    void (*after)();
    // At most so many combinations on the path from an element to the result.
    std::uint64_t (*depth)(std::uint64_t n);
};

// A plain loop; OpenMP threads and SIMD; TBB's std::reduce(par_unseq).
std::span<const HostLoop> host_loops();

}  // namespace lab::measure
