// A run of a device as rows of the step view: its accesses are recorded and replayed by the
// simulator; where that cannot be, its memory after each launch is all that is known.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recorded_run.h"
#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "base/problem.h"
#include "catalogue/plan.h"
#include "device/job_run.h"
#include "device/recorder.h"
namespace lab::device {

// A kernel in a shape on a device: built, with its buffers and what is known of its right result.

// The simulator's run of a small launch by a form, in the usual order; null for a larger one. A
// fault of the kernel is one that might bring down the device's driver: it is thrown, and the
// device is not asked.
std::unique_ptr<machine::Run> simulated(machine::Job job);

class DeviceCase {
  public:
    struct Options {
        std::uint64_t most = UINT64_MAX;               // elements, as every access is kept
        std::optional<catalogue::Target> target = {};  // of the plan; empty: the device's
    };
    // Throws Problem if the device cannot run it, or if it is too large; a form's launch also if
    // the simulator cannot run it in a moment. The device must outlive the case.
    DeviceCase(const Device& device, catalogue::Kernel kernel, const catalogue::Shape& asked,
               const Options& options);
    DeviceCase(const Device& device, catalogue::Kernel kernel, const catalogue::Shape& asked)
        : DeviceCase(device, std::move(kernel), asked, Options()) {}

    const Device& device() const { return device_; }
    const catalogue::Kernel& kernel() const { return kernel_; }
    const catalogue::Shape& shape() const { return shape_; }  // with the group that was chosen
    const catalogue::Target& target() const { return target_; }
    const catalogue::Job& job() const { return job_; }
    // The right result; of a form, whose right result is not known, what the simulator in its usual
    // order ends with.
    const std::string& expected() const { return expected_; }

    // The same on the simulator: independent items, all groups at once.
    analysis::RunSpec spec() const;
    machine::Job simulator_job() const { return job_of(spec(), code_); }

    // Judges what the device left in the buffers, as JobRun::contents() has it.
    catalogue::Outcome outcome(const std::vector<std::vector<std::byte>>& contents) const;
    // One run of the kernel as it is; empty if a spin of it gave up.
    std::optional<catalogue::Outcome> run_plainly();
    JobRun& plain();
    std::unique_ptr<Recorder> recorder(const lang::RecordOptions& options, Optimise optimise);
    // Why spins give up.
    Problem not_resident() const;

  private:
    const Device& device_;
    catalogue::Kernel kernel_;
    catalogue::CompiledKernel code_;
    Program program_;
    catalogue::Target target_;
    catalogue::Shape shape_;
    catalogue::Job job_;
    catalogue::Values input_;
    std::optional<Inputs> inputs_;         // none for a form
    std::unique_ptr<machine::Run> usual_;  // of a form
    std::string expected_;
    std::optional<JobRun> plain_;
};

struct DeviceRun {
    std::vector<analysis::Row> rows;
    // The run that was recorded, as machine::parse_turns() has it; empty: only what each launch
    // left is known.
    std::string turns;
    catalogue::Outcome outcome;
    bool optimised = true;  // false: it was not, as the compiler gets the recording wrong with it
    std::string note;       // why only whole launches are shown; empty: they need no reason
    // Where the simulator does not find what was recorded.
    std::string difference;
    std::optional<analysis::Replay::Value> differs;
};

// Without its result; no launches where one was too long for the buffer.
analysis::RecordedRun recorded_by(const Recorder& recorder);

// A compiler may translate a text correctly, but not its recorded form: PoCL 3.1 does that. So
// where the simulator does not go the way of a recorded run, or a kernel that is promised to be
// right is so in one of the two forms alone, it is recorded without optimisation, and if that does
// not help, not at all. Throws Problem for more elements than the step view holds, and if groups
// that wait for each other do not all run at once.
DeviceRun device_run(DeviceCase& device_case);

// The rows and the result with what was run.
analysis::StepTable table_of(const DeviceCase& device_case, DeviceRun run);

// Where the device's memory after each launch differs from that of a run of the simulator.
std::optional<analysis::Replay::Value> difference_of_launches(const DeviceRun& run,
                                                              const analysis::StepTable& here);

}  // namespace lab::device
