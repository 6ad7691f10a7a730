// Times one reduction that is split over several devices, and each device alone.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "device/measure.h"
namespace lab::device {

// Like measure(), with one part of the elements per device: equal parts for devices of the same
// name, else in proportion to their speed in a short trial of the variant. Each device holds its
// part in its own memory. A joint run submits all launches, waits for all and combines the results
// on the host in the devices' order; then, in the same round, each device runs its part alone. A
// device that cannot run a variant is left out of its rows, with a note. There is no read ceiling,
// which is a property of one device. Throws Problem only if nothing can start.
results::Measurements measure_together(const std::vector<Device>& devices,
                                       const std::vector<const catalogue::Kernel*>& kernels,
                                       const results::MeasureRequest& request,
                                       const OnMeasureProgress& progress = {});

// The same on the requested devices; those that do not open are left out.
results::Measurements measure_together(const std::vector<const catalogue::Kernel*>& kernels,
                                       const results::MeasureRequest& request,
                                       const OnMeasureProgress& progress = {});

struct Cut {
    std::size_t device = 0;  // index into the weights
    std::uint64_t first = 0, count = 0;
    friend bool operator==(const Cut&, const Cut&) = default;
};

// [0, n) in consecutive parts, in proportion to the devices' weights, which must be above 0. Parts
// meet at multiples of 65536 elements if n has eight of these per device; a device whose part would
// be empty gets none. If n is 0, the first device gets it.
std::vector<Cut> cut(std::uint64_t n, const std::vector<double>& weights);

}  // namespace lab::device
