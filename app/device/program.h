// Builds kernel texts; the compiler's log is kept, with line numbers of the kernel file.
#pragma once

#include <string>

#include "catalogue/plan.h"
#include "device/device.h"

namespace lab::device {

struct Program {
    cl::Kernel kernel;
    // The largest group that the driver recommends for it.
    std::uint64_t group = 0;
    // The largest that may run. NVIDIA's driver recommends 256 for any kernel and runs as many as
    // the registers allow; others refuse more than they recommend.
    std::uint64_t most_group = 0;
    std::string log;  // warnings too; places as file:line:column of the kernel file
};

// Compilers that produce wrong code mostly do so when they optimise.
enum class Optimise : bool { no, yes };

// Builds the text, in the language that it needs, and takes its kernel `entry`; empty: the only
// one. Throws Problem with the log as why, where = the first place in it, and Exit::kernel_fault.
Program build(const Device& device, const lang::Text& text, const std::string& entry,
              const std::vector<catalogue::Need>& needs, Optimise optimise = Optimise::yes);
Program build(const Device& device, const catalogue::Kernel& kernel, const catalogue::Shape& shape);

// The compiler's options. With NO_DEVICE_SCOPE among them, a mem_fence stands in for what orders
// groups, without a promise.
std::string build_options(const Device& device, const std::string& text,
                          const std::vector<catalogue::Need>& needs);
// The option for OpenCL C 2.0 or later: 2.0 and 3.0 name what we use alike.
const char* newer_standard(const results::DeviceInfo& device);

// A compiler's log of (macros + text), with the lines counted in the kernel file. A place within
// the macros is shown as macros:line:column.
std::string mapped_log(const std::string& log, const lang::Text& text);

}  // namespace lab::device
