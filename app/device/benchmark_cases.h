// The cases that take turns in a measurement at one size: variants, the read ceiling, host loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "catalogue/element.h"
#include "catalogue/plan.h"
#include "catalogue/shape.h"
#include "device/device_run.h"
#include "device/job_run.h"
#include "device/program.h"
#include "results/device_info.h"
#include "results/report.h"
#include "results/request.h"
#include "results/result.h"

namespace lab::device {

// The same reduction on the host, for comparison: what the device has to beat.
struct HostLoop {
    const char* id;
    const char* title;
    // Reduces the bytes, elements of that type, to one element.
    catalogue::Values (*reduce)(catalogue::Op op, catalogue::Type type,
                                std::span<const std::byte> input);
    // Not timed: starts and ends its threads. OpenMP's would otherwise spin for milliseconds after
    // their work and disturb the next case.
    void (*before)();
    void (*after)();
    // At most so many combinations on the path from an element to the result.
    std::uint64_t (*depth)(std::uint64_t n);
};

// A plain loop; OpenMP threads and SIMD; TBB's std::reduce(par_unseq).
std::span<const HostLoop> host_loops();

// The built kernels of one device, each setting of a variant's toggles once.
class Programs {
  public:
    explicit Programs(const Device& device) : device_(device) {}

    // Builds the program if needed. The reference stays valid. Throws Problem if it does not build.
    const Program& of(const catalogue::Kernel& variant, const catalogue::Shape& shape);
    // The distinct compiler options so far, separated by " | ".
    const std::string& options() const { return options_; }

  private:
    const Device& device_;
    std::string options_;
    // By id and macros.
    std::map<std::pair<std::string, std::string>, Program> built_;
};

// For one of several devices: its time in the joint run, and its part alone.
struct PartSample {
    double device_ms = 0, alone_device_ms = 0, alone_wall_ms = 0;
};

struct Sample {
    std::optional<double> device_ms;  // empty: the host has no such clock
    double wall_ms = 0;
    catalogue::Outcome outcome;
    bool gave_up = false;  // a spin gave up that succeeded before; the rest is then invalid
    std::vector<PartSample> parts = {};  // of the row's parts, in their order
};

// One case; `run` does one run and checks it. It throws Problem.
struct BenchmarkCase {
    results::Row row;
    std::function<Sample()> run;
    double spent_s = 0;  // in runs so far, including all overhead
    bool done = false;
    bool waits = false;    // its groups wait for each other, possibly in vain
    bool on_host = false;  // it runs on the host's processors
};

// Takes a sample by the device's clock and, where a run is so short that the host's waiting for
// that clock counts, another one without it for the wall's. `run` samples a batch of that size.
Sample timed_twice(unsigned batch, const std::function<Sample(const Runs&)>& run);

// Copies of the input in host memory, used in turn like those on the device.
class HostInputs {
  public:
    // Without references there are no inputs.
    HostInputs(const catalogue::Values& input, const results::MeasureRequest& request);
    std::span<const std::byte> next();
    // True if a copy has left the cache when its turn comes again.
    bool is_cold() const { return copies_ > 1 || input_.size() > 4 * cache_; }

  private:
    std::span<const std::byte> input_;
    std::uint64_t cache_;
    std::size_t copies_ = 1, at_ = 0;
    std::vector<std::byte> pool_;  // empty: the input itself is the only copy
};

// For global memory. GPU drivers do not always include their second-level cache.
std::uint64_t cache_bytes(const results::DeviceInfo& device);
// Returns whether a run finds its input outside the cache: there are several copies, or one that is
// far larger than the cache. A kernel that works in place has just had its copy written.
bool is_cold(const Device& device, const Inputs& inputs, bool in_place);

// Holds what the cases of one size share; it must outlive them.
struct BenchmarkContext {
    const Device& device;
    const catalogue::Shape& shape;
    const catalogue::Values& input;
    const catalogue::Reference& right;
    Inputs& inputs;
    HostInputs& host_inputs;
};

// How to run a variant where its shape leaves that open.
struct LaunchChoice {
    catalogue::LaunchShape shape;
    std::string by;  // as Row::chosen_by
    unsigned batch = 1;
};

// A variant's launches on a device that has built it.
struct BuiltLaunch {
    const Program& program;
    catalogue::Shape shape;  // what was asked for, and what suits in all else
    catalogue::Job job;
};
// Throws Problem if the variant does not allow that n or group, the device lacks something, or the
// text does not build.
BuiltLaunch built_launch(const Device& device, Programs& programs, const catalogue::Kernel& variant,
                         const catalogue::Shape& asked, const catalogue::LaunchShape& suits,
                         std::uint64_t n);

// Throws Problem as built_launch() does.
BenchmarkCase variant_case(const BenchmarkContext& context, const catalogue::Kernel& variant,
                           Programs& programs, std::uint64_t group,
                           const LaunchChoice& launch_choice = {});
// The launch that a form describes. The right result is not known, so there is no verdict: `result`
// is what the device left in the buffers that it may write, `expected` what the simulator did if
// the launch is small enough to ask (the same text if both agree), else empty.
BenchmarkCase form_case(const Device& device, const catalogue::Kernel& kernel,
                        const catalogue::Job& job);
// Adds a case for each of host_loops().
void add_host_cases(const BenchmarkContext& context, std::vector<BenchmarkCase>& entries);

// The kernel that reads everything and does almost nothing else, in each form that may be fastest.
struct CeilingForm {
    catalogue::Shape shape;
    Program program;
};
std::vector<CeilingForm> build_ceiling(const Device& device);
// By the fastest of these; empty for an empty input.
std::optional<BenchmarkCase> ceiling_case(const BenchmarkContext& context,
                                          const std::vector<CeilingForm>& forms);

// Throws Problem for a toggle that none of the variants has, and for an unknown value.
void check_toggles(const catalogue::Catalogue& catalogue, const std::vector<std::string>& ids,
                   const catalogue::Shape& shape);

// For several variants each takes the toggles that it has.
catalogue::Shape shape_for(const catalogue::Kernel& variant, catalogue::Shape shape);

// Fills what `asked` leaves open from `under`; requested toggles and groups stay. The group stays
// open if `most_group`, the largest that the kernel can have, is 0: not known yet.
catalogue::Shape filled(catalogue::Shape asked, const catalogue::LaunchShape& under,
                        std::uint64_t most_group);

// Why a kept launch shape cannot be used, as a note: the file was edited, or the header changed.
// Empty if it can.
std::optional<std::string> unfit(const results::DeviceInfo& device,
                                 const catalogue::Kernel& variant, const catalogue::Shape& asked,
                                 const catalogue::LaunchShape& kept, std::uint64_t n);

// Bytes for the copies of an input: twice the cache, so that each has left it when its turn comes
// again, and at least two copies. An input far larger than the cache needs no second one: 0.
std::uint64_t pool_bytes(std::uint64_t cache, std::uint64_t input, bool warm);

Problem no_memory(std::optional<std::uint64_t> n);

// Throws Problem if so many elements do not fit into a buffer of the device, with what is needed
// and what is available. `where`: the option to blame.
void check_fits(const results::DeviceInfo& device, catalogue::Type type,
                std::optional<std::uint64_t> n, const char* where);

// The elements; empty `n`: as many as the input has. Throws Problem if the device or this machine
// cannot hold them.
catalogue::Values input_that_fits(const results::DeviceInfo& device, const catalogue::Shape& shape,
                                  std::optional<std::uint64_t> n);

// The machine that a measurement runs on, as result files describe it.
results::Host this_host();

// Predicts every result that a small case can give, before a device runs it.
// For independent work-items, with all groups at once: whatever a device's lockstep, its results
// are among these. Limited to about a second; if that fails, `why_not` says why.
results::Prediction predict(const DeviceCase& device_case);

}  // namespace lab::device
