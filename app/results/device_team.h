// Several devices that share one reduction, as plain data: how they are named and described.
#pragma once

#include <string>
#include <vector>

#include "results/device_info.h"

namespace lab::results {

inline constexpr const char* kAllDevices = "all";  // as --device takes it

// Whether `device`, as --device takes it, is `all` or a list of ids: "0:0,1:0".
bool names_several(const std::string& device);
// The ids of such a list, each once, in its order. Throws Problem for a list with an empty place.
std::vector<std::string> listed_devices(const std::string& list);
// For what runs on one device only.
Problem only_measure_takes(const std::string& devices);

// All as one device: "2 x NVIDIA H200", "cpu A + gpu B"; sums of what adds up, minima of the rest.
// `id` as requested.
DeviceInfo together(const std::vector<DeviceInfo>& devices, const std::string& id);

// Reasons to doubt that they are separate pieces of hardware, one per line.
std::vector<std::string> doubts_about(const std::vector<DeviceInfo>& devices);

}  // namespace lab::results
