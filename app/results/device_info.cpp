#include "results/device_info.h"

#include "base/json_fields.h"
#include "base/ranges.h"

namespace lab::results {

std::string standard_device(const Devices& devices) {
    for (const DeviceInfo& device : devices.devices)
        if (device.kind == "GPU") return device.id;
    return devices.devices.empty() ? "" : devices.devices.front().id;
}

LAB_JSON_FIELDS(DeviceInfo, id, platform, name, vendor, driver, version, c_version, kind,
                compute_units, max_group, local_bytes, global_bytes, largest_buffer, cache_bytes,
                buffer_align, timer_ns, doubles, wide_atomics, sub_groups, group_collectives)
LAB_JSON_FIELDS(Devices, devices, problems)

bool is_nvidia(const DeviceInfo& device) {
    return device.vendor.find("NVIDIA") != std::string::npos;
}

bool has(const DeviceInfo& device, catalogue::Need need, catalogue::Type type) {
    switch (need) {
        case catalogue::Need::sub_groups:
            return device.sub_groups;
        case catalogue::Need::group_collectives:
            return device.group_collectives;
        case catalogue::Need::atomics:
            return info(type).bytes <= 4 || device.wide_atomics;
        case catalogue::Need::ptx:
            return is_nvidia(device);
    }
    return true;
}

std::vector<MissingCapability> missing_on(const Devices& devices) {
    const auto any = [&](auto&& has_it) { return any_of(devices.devices, has_it); };
    if (devices.devices.empty()) return {MissingCapability::device};
    std::vector<MissingCapability> missing;
    if (!any([](const DeviceInfo& device) { return device.kind == "GPU"; }))
        missing.push_back(MissingCapability::gpu);
    if (!any([](const DeviceInfo& device) { return device.sub_groups; }))
        missing.push_back(MissingCapability::sub_groups);
    return missing;
}

std::vector<catalogue::Need> missing_needs(const DeviceInfo& device,
                                           const catalogue::Kernel& variant,
                                           const catalogue::Shape& shape) {
    std::vector<catalogue::Need> missing;
    for (const catalogue::Need need : needs_of(variant, shape))
        if (!has(device, need, shape.type)) missing.push_back(need);
    return missing;
}

}  // namespace lab::results
