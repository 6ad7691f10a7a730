// Memory bandwidths from datasheets: a limit beside the measured one.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lab::results {

struct Datasheet {
    std::string device;  // a part of the driver's device name; "!" before words that must
                         // not be in it, as for "H100 !PCIe !NVL"
    double gigabytes_per_second = 0;
    std::string source;
};

// From assets/datasheets.json. Throws Problem.
std::vector<Datasheet> datasheets();

// The first that matches a device of this name; null if none does.
const Datasheet* datasheet_of(const std::string& device, std::span<const Datasheet> all);

}  // namespace lab::results
