#include "device/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "catalogue/device_scope.h"
#include "device/devices.h"
#include "device/program.h"
#include "results/device_team.h"

namespace lab::device {
namespace {

constexpr const char* kInstall =
    "Install your device's OpenCL driver; for the CPU: sudo apt-get install pocl-opencl-icd";

struct Found {
    cl::Device device;
    results::DeviceInfo info;
};

std::string trimmed_name(std::string name) {
    name.resize(std::min(name.size(), name.find('\0')));  // some drivers count the NUL in
    while (!name.empty() && name.back() == ' ')
        name.pop_back();
    return name;
}

// A query that a driver may refuse, as an old one does for a newer version's question.
template <cl_device_info Name, typename Value>
Value ask(const cl::Device& device, Value otherwise) {
    cl_int error = CL_SUCCESS;
    try {
        const auto value = device.getInfo<Name>(&error);
        return error == CL_SUCCESS ? static_cast<Value>(value) : otherwise;
    } catch (const cl::Error&) {
        return otherwise;
    }
}

bool has(const std::string& extensions, const std::string& name) {
    return (" " + extensions + " ").find(" " + name + " ") != std::string::npos;
}

const char* kind_of(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) return "GPU";
    if ((type & CL_DEVICE_TYPE_CPU) != 0) return "CPU";
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return "accelerator";
    return "other";
}

Problem no_platform() {
    const char* vendors = std::getenv("OCL_ICD_VENDORS");
    return {"There is no OpenCL driver on this machine",
            vendors != nullptr
                ? fmt::format("OCL_ICD_VENDORS is '{}', and no driver is named there", vendors)
                : "The folder /etc/OpenCL/vendors names none",
            kInstall, "", Exit::no_device};
}

Problem no_device(const std::string& platform) {
    return {
        fmt::format("The platform '{}' has no device", platform),
        "Its driver is installed, but finds no hardware that it serves, or may not write its cache",
        "Check that the device is plugged in and that you may use it (group render or video). If "
        "this is PoCL, set POCL_CACHE_DIR to a folder that you may write",
        platform, Exit::no_device};
}

std::vector<Found> find_all(std::vector<Problem>& problems) {
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error&) {
        platforms.clear();  // CL_PLATFORM_NOT_FOUND_KHR: the loader has no driver
    }
    if (platforms.empty()) problems.push_back(no_platform());

    std::vector<Found> found;
    for (std::size_t p = 0; p < platforms.size(); ++p) {
        std::string name = fmt::format("platform {}", p);
        try {
            name = trimmed_name(platforms[p].getInfo<CL_PLATFORM_NAME>());
            std::vector<cl::Device> devices;
            platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
            for (std::size_t d = 0; d < devices.size(); ++d)
                found.push_back(
                    {devices[d], info_of(devices[d], fmt::format("{}:{}", p, d), name)});
            if (devices.empty()) problems.push_back(no_device(name));
        } catch (const cl::Error& error) {
            problems.push_back(error.err() == CL_DEVICE_NOT_FOUND
                                   ? no_device(name)
                                   : problem_of(error, "Asking for devices", name));
        }
    }
    return found;
}

}  // namespace

results::DeviceInfo info_of(const cl::Device& device, std::string id, const std::string& platform) {
    results::DeviceInfo info;
    info.id = std::move(id);
    info.platform = platform;
    info.name = trimmed_name(device.getInfo<CL_DEVICE_NAME>());
    info.vendor = trimmed_name(ask<CL_DEVICE_VENDOR>(device, std::string()));
    info.driver = trimmed_name(ask<CL_DRIVER_VERSION>(device, std::string()));
    info.version = trimmed_name(ask<CL_DEVICE_VERSION>(device, std::string()));
    info.c_version = trimmed_name(ask<CL_DEVICE_OPENCL_C_VERSION>(device, std::string()));
    info.kind = kind_of(device.getInfo<CL_DEVICE_TYPE>());
    info.compute_units = ask<CL_DEVICE_MAX_COMPUTE_UNITS, std::uint64_t>(device, 1);
    info.max_group = ask<CL_DEVICE_MAX_WORK_GROUP_SIZE, std::uint64_t>(device, 1);
    info.local_bytes = ask<CL_DEVICE_LOCAL_MEM_SIZE, std::uint64_t>(device, 0);
    info.global_bytes = ask<CL_DEVICE_GLOBAL_MEM_SIZE, std::uint64_t>(device, 0);
    info.largest_buffer = ask<CL_DEVICE_MAX_MEM_ALLOC_SIZE, std::uint64_t>(device, 0);
    info.cache_bytes = ask<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, std::uint64_t>(device, 0);
    info.buffer_align = ask<CL_DEVICE_MEM_BASE_ADDR_ALIGN, std::uint64_t>(device, 0) / 8;
    info.timer_ns = ask<CL_DEVICE_PROFILING_TIMER_RESOLUTION, std::uint64_t>(device, 0);
    const std::string extensions = ask<CL_DEVICE_EXTENSIONS>(device, std::string());
    info.doubles = has(extensions, "cl_khr_fp64");
    info.wide_atomics = has(extensions, "cl_khr_int64_base_atomics");
    info.sub_groups = has(extensions, "cl_khr_subgroups") ||
                      has(extensions, "cl_intel_subgroups") ||
                      ask<CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint>(device, 0) > 0;
    info.group_collectives =
        ask<CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool>(device, CL_FALSE) != 0;
    return info;
}

results::Devices find_devices() {
    results::Devices devices;
    for (Found& found : find_all(devices.problems))
        devices.devices.push_back(std::move(found.info));
    return devices;
}

namespace {

Device opened(const Found& found) {
    return guarded("Opening the device", found.info.name, [&] {
        Device device;
        device.info = found.info;
        device.device = found.device;
        device.context = cl::Context(device.device);
        device.queue = cl::CommandQueue(device.context, device.device, CL_QUEUE_PROFILING_ENABLE);
        device.plain = cl::CommandQueue(device.context, device.device);
        device.pinned_result = std::make_shared<PinnedResult>(device.context, device.plain);
        device.scopes = std::make_shared<TrialBuild>(
            device.context, device.device, catalogue::kScopeTrial, newer_standard(device.info));
        return device;
    });
}

const Found& with_id(const std::vector<Found>& found, const std::string& id) {
    const auto chosen =
        std::find_if(found.begin(), found.end(), [&](const Found& of) { return of.info.id == id; });
    if (chosen != found.end()) return *chosen;
    std::vector<std::string> ids;
    for (const Found& candidate : found)
        ids.push_back(fmt::format("{} ({})", candidate.info.id, candidate.info.name));
    throw Problem(fmt::format("There is no device '{}'", id), "",
                  fmt::format("Choose one of: {}", fmt::join(ids, ", ")), "--device");
}

std::vector<Found> find_some() {
    std::vector<Problem> problems;
    std::vector<Found> found = find_all(problems);
    if (found.empty()) throw Problem(problems.front());
    return found;
}

}  // namespace

Device open_device(const std::string& id) {
    if (results::names_several(id)) throw results::only_measure_takes(id);
    const std::vector<Found> found = find_some();
    results::Devices known;
    for (const Found& candidate : found)
        known.devices.push_back(candidate.info);
    return opened(with_id(found, id.empty() ? standard_device(known) : id));
}

std::vector<Device> open_devices(const std::string& ids, std::vector<Problem>& problems) {
    const std::vector<Found> found = find_some();
    std::vector<Device> devices;
    if (ids != results::kAllDevices) {
        for (const std::string& id : results::listed_devices(ids))
            devices.push_back(opened(with_id(found, id)));
        return devices;
    }
    for (const Found& candidate : found) {
        try {
            devices.push_back(opened(candidate));
        } catch (const Problem& problem) {
            problems.push_back(problem);
        }
    }
    if (devices.empty()) throw Problem(problems.back());
    return devices;
}

}  // namespace lab::device
