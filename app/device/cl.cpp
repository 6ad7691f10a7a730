#include "device/cl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lab::device {
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

const Known* find(cl_int error) {
    const auto* found = std::find_if(kKnown.begin(), kKnown.end(),
                                     [&](const Known& known) { return known.error == error; });
    return found == kKnown.end() ? nullptr : found;
}

}  // namespace

const char* error_name(cl_int error) {
    const Known* known = find(error);
    return known != nullptr ? known->name : nullptr;
}

Problem problem_of(const cl::Error& error, const std::string& doing, const std::string& where) {
    const Known* known = find(error.err());
    const std::string name =
        known != nullptr ? known->name : fmt::format("OpenCL error {}", error.err());
    return {fmt::format("{} failed", doing),
            fmt::format("{}{} ({} in {})", known != nullptr ? known->why : "The driver refused",
                        known != nullptr ? "" : " it", name, error.what()),
            known != nullptr ? known->hint : kReport, where,
            known != nullptr ? known->exit : Exit::no_device};
}

}  // namespace lab::device
