// What is recorded: a variant in a shape, or a user kernel.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/problem.h"
#include "catalogue/outcome.h"
#include "catalogue/variant.h"
#include "device/recorder.h"
#include "results/report.h"
#include "results/request.h"
#include "simulation/recorded/recorded_run.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

class RecordCase {
  public:
    virtual ~RecordCase() = default;
    // What it is, and of which device.
    virtual void describe(results::Recorded& recorded) const = 0;
    virtual std::unique_ptr<device::Recorder> recorder(const lang::RecordOptions& options,
                                                       device::Optimise optimise) const = 0;
    // Of buffers as Launches::all_contents() has them.
    virtual catalogue::Outcome outcome(
        const std::vector<std::vector<std::byte>>& contents) const = 0;
    virtual simulation::Replay replay(const simulation::RecordedRun& recorded) const = 0;
    // One run of the kernel as it is; empty if a spin of it gave up.
    virtual std::optional<catalogue::Outcome> run_plainly() = 0;
    // Why spins give up.
    virtual Problem not_resident() const = 0;
};

// The device's part of a description.
void describe_target(const catalogue::Target& target, results::Recorded& recorded);

// Both throw Problem if the device or the simulator cannot run it, or if it is too large. The
// device, and the variant or kernel, must outlive the case.
std::unique_ptr<RecordCase> variant_case(const device::Device& device,
                                         const catalogue::Variant& variant,
                                         const catalogue::Shape& asked);
// The right result of a user kernel is not known: "right" is the one of the simulator in its usual
// order.
std::unique_ptr<RecordCase> kernel_case(const device::Device& device,
                                        const simulation::UserKernel& kernel);

}  // namespace lab::measure
