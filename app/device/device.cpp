#include "device/device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include "base/ranges.h"
#include "catalogue/host_program.h"
#include "device/program.h"
#include "results/request.h"

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

results::Devices find_devices() {
    results::Devices devices;
    for (Found& found : find_all(devices.problems))
        devices.devices.push_back(std::move(found.info));
    return devices;
}

static Device opened(const Found& found) {
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

static const Found& with_id(const std::vector<Found>& found, const std::string& id) {
    if (const Found* chosen = find_if(found, [&](const Found& of) { return of.info.id == id; }))
        return *chosen;
    std::vector<std::string> ids;
    for (const Found& candidate : found)
        ids.push_back(fmt::format("{} ({})", candidate.info.id, candidate.info.name));
    throw Problem(fmt::format("There is no device '{}'", id), "",
                  fmt::format("Choose one of: {}", fmt::join(ids, ", ")), "--device");
}

static std::vector<Found> find_some() {
    std::vector<Problem> problems;
    std::vector<Found> found = find_all(problems);
    if (found.empty()) throw Problem(problems.front());
    return found;
}

Device open_device(const std::string& id) {
    if (results::names_several(id)) throw results::only_measure_takes(id);
    const std::vector<Found> found = find_some();
    const results::Devices known{mapped<results::DeviceInfo>(found, &Found::info), {}};
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
        if (auto problem = thrown_by([&] { devices.push_back(opened(candidate)); }))
            problems.push_back(std::move(*problem));
    }
    if (devices.empty()) throw Problem(problems.back());
    return devices;
}

namespace {

constexpr const char* kReport = "Update the device's driver; if it stays, report it to its maker";
constexpr const char* kOurs = "This is a mistake in this program; please report it";

struct Known {
    cl_int error;
    const char *name, *why, *hint;
    Exit exit;
};

#define LAB_ERROR(name, why, hint, exit) \
    Known {                              \
        name, #name, why, hint, exit     \
    }
constexpr std::array kKnown{
    LAB_ERROR(CL_DEVICE_NOT_FOUND, "The platform has no device", "Install the device's driver",
              Exit::no_device),
    LAB_ERROR(CL_DEVICE_NOT_AVAILABLE, "The device is in use or switched off",
              "Close other programs that use it, or choose another device", Exit::no_device),
    LAB_ERROR(CL_COMPILER_NOT_AVAILABLE, "The driver has no compiler",
              "Choose another device, or install a driver with a compiler", Exit::no_device),
    LAB_ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE, "The device's memory is full",
              "Choose a smaller n, or close other programs that use the device", Exit::usage),
    LAB_ERROR(CL_OUT_OF_RESOURCES,
              "The device ran out of registers, memory or time, or the "
              "kernel touched memory that is not its own",
              "Choose a smaller n or group; check the kernel's indices", Exit::kernel_fault),
    LAB_ERROR(CL_OUT_OF_HOST_MEMORY, "The machine's memory is full",
              "Choose a smaller n, or close other programs", Exit::usage),
    LAB_ERROR(CL_PROFILING_INFO_NOT_AVAILABLE, "The driver keeps no times", kReport,
              Exit::no_device),
    LAB_ERROR(CL_BUILD_PROGRAM_FAILURE, "The kernel does not compile", "Fix the kernel's text",
              Exit::kernel_fault),
    LAB_ERROR(CL_INVALID_VALUE, "An argument is out of range", kOurs, Exit::usage),
    LAB_ERROR(CL_INVALID_BUFFER_SIZE, "The buffer is larger than the device allows",
              "Choose a smaller n", Exit::usage),
    LAB_ERROR(CL_INVALID_KERNEL_NAME, "The kernel file has no kernel of that name",
              "Check 'entry' in the file's header", Exit::kernel_fault),
    LAB_ERROR(CL_INVALID_KERNEL_ARGS, "The kernel has more arguments than were given",
              "Check 'args' in the file's header", Exit::kernel_fault),
    LAB_ERROR(CL_INVALID_ARG_INDEX, "The kernel has fewer arguments than were given",
              "Check 'args' in the file's header", Exit::kernel_fault),
    LAB_ERROR(CL_INVALID_ARG_VALUE, "An argument is not of the kernel's kind",
              "Check 'args' in the file's header", Exit::kernel_fault),
    LAB_ERROR(CL_INVALID_ARG_SIZE, "An argument is not of the kernel's type",
              "Check 'args' in the file's header", Exit::kernel_fault),
    LAB_ERROR(CL_INVALID_WORK_GROUP_SIZE,
              "The device cannot run groups of that size with this "
              "kernel",
              "Choose a smaller group", Exit::usage),
    LAB_ERROR(CL_INVALID_WORK_ITEM_SIZE, "The group is larger than the device allows",
              "Choose a smaller group", Exit::usage),
    LAB_ERROR(CL_INVALID_GLOBAL_WORK_SIZE, "The device cannot launch that many work-items",
              "Choose a smaller n", Exit::usage),
    LAB_ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "The kernel failed while it ran",
              "Check the kernel's indices", Exit::kernel_fault),
    // Not in the standard: what NVIDIA's driver answers for an illegal access on the device.
    Known{-9999, "NVIDIA's error -9999", "The kernel touched memory that is not its own",
          "Check the kernel's indices", Exit::kernel_fault},
};
#undef LAB_ERROR

}  // namespace

Problem problem_of(const cl::Error& error, const std::string& doing, const std::string& where) {
    const std::string number = fmt::format("OpenCL error {}", error.err());
    const Known unknown{0, number.c_str(), "The driver refused it", kReport, Exit::no_device};
    const Known* found =
        find_if(kKnown, [&](const Known& known) { return known.error == error.err(); });
    const Known& known = found != nullptr ? *found : unknown;
    return {fmt::format("{} failed", doing),
            fmt::format("{} ({} in {})", known.why, known.name, error.what()), known.hint, where,
            known.exit};
}

// PoCL takes the first ones, and ends the program if one of them is not to be had.
static bool has_all_processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return false;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const long configured = sysconf(_SC_NPROCESSORS_CONF);
    return online == configured && CPU_COUNT(&allowed) == online;
}

void set_driver_defaults() {
    constexpr int kKeepTheUsers = 0;
    if (has_all_processors()) setenv("POCL_AFFINITY", "1", kKeepTheUsers);
}

PinnedResult::PinnedResult(const cl::Context& context, cl::CommandQueue queue)
    : queue_(std::move(queue)),
      buffer_(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, kBytes),
      at_(static_cast<std::byte*>(
          queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kBytes))) {}

PinnedResult::~PinnedResult() {
    try {
        queue_.enqueueUnmapMemObject(buffer_, at_);
        queue_.finish();
    } catch (const cl::Error&) {  // the device is gone, and its memory with it
    }
}

bool TrialBuild::works() {
    if (works_) return *works_;
    try {
        cl::Program(context_, text_).build({device_}, options_.c_str());
        works_ = true;
    } catch (const cl::Error&) {
        works_ = false;
    }
    return *works_;
}

// By Need.
constexpr std::array kNeedWords{
    "sub-groups (cl_khr_subgroups)", "work_group_reduce functions (OpenCL C 2.0)",
    "64-bit atomics (cl_khr_int64_base_atomics)", "NVIDIA's instructions (PTX)"};

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
        const bool always = any_of(variant.needs, [&](const catalogue::Needed& needed) {
            return needed.need == need && needed.when.empty();
        });
        return Problem(
            fmt::format("{} cannot run on this device", variant.id),
            fmt::format("{} has no {}", device.name, kNeedWords[static_cast<std::size_t>(need)]),
            !always ? "Choose another value of its toggles, or another device"
            : need == catalogue::Need::atomics ? "Choose a type of 4 bytes, or another device"
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
