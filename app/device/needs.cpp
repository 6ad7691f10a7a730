#include "device/needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

namespace lab::device {
namespace {

std::string words_for(catalogue::Need need) {
    switch (need) {
        case catalogue::Need::sub_groups:
            return "sub-groups (cl_khr_subgroups)";
        case catalogue::Need::group_collectives:
            return "work_group_reduce functions (OpenCL C 2.0)";
        case catalogue::Need::atomics:
            return "64-bit atomics (cl_khr_int64_base_atomics)";
        case catalogue::Need::ptx:
            break;
    }
    return "NVIDIA's instructions (PTX)";
}

}  // namespace

std::optional<Problem> lacking(const results::DeviceInfo& device, const catalogue::Kernel& variant,
                               const catalogue::Shape& shape) {
    if (shape.type == catalogue::Type::double_ && !device.doubles)
        return Problem("The device has no double", device.name + " lacks cl_khr_fp64",
                       "Choose the type float, or another device", "--type");
    for (const catalogue::Need need : missing_needs(device, variant, shape)) {
        if (variant.by_form())
            return Problem("The device lacks what the kernel needs",
                           fmt::format("{} has no {}", device.name,
                                       need == catalogue::Need::sub_groups ? "sub-groups"
                                                                           : "work_group_reduce"),
                           "Step it on the simulator, or choose another device",
                           variant.file.string());
        const bool always = std::any_of(variant.needs.begin(), variant.needs.end(),
                                        [&](const catalogue::Needed& needed) {
                                            return needed.need == need && needed.when.empty();
                                        });
        return Problem(fmt::format("{} cannot run on this device", variant.id),
                       fmt::format("{} has no {}", device.name, words_for(need)),
                       !always ? "Choose another value of its toggles, or another device"
                       : need == catalogue::Need::atomics
                           ? "Choose a type of 4 bytes, or another device"
                           : "Choose another variant or another device",
                       device.id);
    }
    return {};
}

std::vector<std::string> kinds_of(const results::DeviceInfo& device, catalogue::Type type) {
    std::vector<std::string> kinds;
    const auto add = [&](const std::string& kind) {
        kinds.push_back(kind);
        if (info(type).bytes == 8) kinds.push_back(kind + "-64");
    };
    add(device.kind == "CPU" ? "cpu" : "gpu");
    if (device.kind != "CPU" && is_nvidia(device)) add("nvidia");
    return kinds;
}

catalogue::Target target_of(const results::DeviceInfo& device, std::uint64_t kernel_group) {
    const std::uint64_t suits = std::min(device.max_group, kernel_group);
    return {device.compute_units, device.max_group, device.kind == "CPU",
            std::bit_floor(std::max<std::uint64_t>(suits, 1))};
}

}  // namespace lab::device
