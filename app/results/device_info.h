// The devices of all platforms and their properties, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/problem.h"
#include "catalogue/plan.h"
namespace lab::results {

struct DeviceInfo {
    std::string id;  // "platform:device", as --device takes it
    std::string platform, name, vendor, driver, version, c_version;
    std::string kind;  // "CPU", "GPU", "accelerator" or "other"
    std::uint64_t compute_units = 0;
    std::uint64_t max_group = 0;    // work-items per group
    std::uint64_t local_bytes = 0;  // local memory per group
    std::uint64_t global_bytes = 0;
    std::uint64_t largest_buffer = 0;  // bytes
    std::uint64_t cache_bytes = 0;     // for global memory, according to the driver
    std::uint64_t buffer_align = 0;    // alignment of sub-buffers, in bytes
    std::uint64_t timer_ns = 0;        // resolution of event times
    bool doubles = false;              // cl_khr_fp64
    bool wide_atomics = false;         // cl_khr_int64_base_atomics
    bool sub_groups = false;           // cl_khr_subgroups, cl_intel_subgroups or core
    bool group_collectives = false;    // work_group_reduce_*
};

struct Devices {
    std::vector<DeviceInfo> devices;
    // Why devices may be missing: no ICD loader entry, a platform without devices, …
    std::vector<Problem> problems;
};

// The id of the default device: the first GPU, else the first device; empty if there is none.
std::string standard_device(const Devices& devices);

void to_json(nlohmann::json& nlohmann_json_j, const DeviceInfo& nlohmann_json_t);
void from_json(const nlohmann::json& nlohmann_json_j, DeviceInfo& nlohmann_json_t);
void to_json(nlohmann::json& nlohmann_json_j, const Devices& nlohmann_json_t);
void from_json(const nlohmann::json& nlohmann_json_j, Devices& nlohmann_json_t);

bool is_nvidia(const DeviceInfo& device);

// True if the device has what is needed, for elements of that type.
bool has(const DeviceInfo& device, catalogue::Need need, catalogue::Type type);

// The capabilities that a computer with these devices lacks, the gravest first: any device at all;
// a GPU; a device with sub-groups.
enum class MissingCapability { device, gpu, sub_groups };
std::vector<MissingCapability> missing_on(const Devices& devices);

// Returns what the variant needs with the shape's type and toggles, and the device lacks. Throws
// Problem for an unknown toggle.
std::vector<catalogue::Need> missing_needs(const DeviceInfo& device,
                                           const catalogue::Kernel& variant,
                                           const catalogue::Shape& shape);

}  // namespace lab::results
