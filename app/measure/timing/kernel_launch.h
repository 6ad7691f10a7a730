// A user kernel as a device takes it.
#pragma once

#include <cstdint>
#include <memory>

#include "catalogue/plan.h"
#include "device/kernel_run.h"
#include "machine/run.h"
#include "results/device_info.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

catalogue::KernelText kernel_text_of(const simulation::UserKernel& kernel);
// Throws Problem if the device lacks what the text needs.
void check_needs(const results::DeviceInfo& device, const catalogue::KernelText& text);

std::uint64_t buffer_bytes(const machine::Job& job);
// How many elements it is of, as the step view counts them.
std::uint64_t elements_of(const machine::Job& job);
// Of its one launch. Throws Problem for a structure whose layout is the compiler's affair.
device::KernelLaunch launch_of(const machine::Job& job);

// The simulator's run of a small launch; null for a larger one. A fault of the kernel is one that
// might bring down the device's driver: it is thrown, and the device is not asked.
std::unique_ptr<machine::Run> simulated(machine::Job job);

}  // namespace lab::measure
