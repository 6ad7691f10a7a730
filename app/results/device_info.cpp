#include "results/device_info.h"

#include "base/json_fields.h"

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

}  // namespace lab::results
