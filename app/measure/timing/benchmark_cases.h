// What takes turns in a measurement at one size: variants, the read ceiling, the host's own loops.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "device/inputs.h"
#include "device/program.h"
#include "measure/checks/device_outcome.h"
#include "measure/timing/host_loops.h"
#include "measure/timing/programs.h"
#include "results/result.h"

namespace lab::measure {

// For one of several devices: its time in the run together, and its part once more, alone.
struct PartSample {
    double device_ms = 0, alone_device_ms = 0, alone_wall_ms = 0;
};

struct Sample {
    std::optional<double> device_ms;  // empty: the host has no such clock
    double wall_ms = 0;
    catalogue::Outcome outcome;
    bool gave_up = false;  // a spin did that got through before; the rest means nothing then
    std::vector<PartSample> parts = {};  // of the row's parts, in their order
};

// One run and its check, whenever its turn comes. `run` throws Problem.
struct BenchmarkCase {
    results::Row row;
    std::function<Sample()> run;
    double spent_s = 0;  // in runs so far, with all that surrounds them
    bool done = false;
    bool waits = false;    // its groups wait for each other, which may come to nothing
    bool on_host = false;  // it runs on this machine's own processors
};

// Copies of the input in the host's memory, used in turn as those on the device are.
class HostInputs {
  public:
    // `cache`: bytes of the host's; see is_cold.
    HostInputs(const catalogue::Values& input, std::uint64_t pool_bytes, std::uint64_t cache);
    std::span<const std::byte> next();
    // Whether a copy is gone from the cache when its turn comes again.
    bool is_cold() const { return copies_ > 1 || input_.size() > 4 * cache_; }

  private:
    std::span<const std::byte> input_;
    std::uint64_t cache_;
    std::size_t copies_ = 1, at_ = 0;
    std::vector<std::byte> pool_;  // empty: the input itself is the only copy
};

// For global memory. Drivers of GPUs do not always count their second-level cache in.
std::uint64_t cache_bytes(const results::DeviceInfo& device);

// What the entries of one size share; it must outlive them.
struct BenchmarkContext {
    const device::Device& device;
    const catalogue::Shape& shape;
    const catalogue::Values& input;
    const catalogue::Reference& right;
    device::Inputs& inputs;
    HostInputs& host_inputs;
};

// How a variant is to be run, as far as its shape leaves it open.
struct LaunchChoice {
    catalogue::LaunchShape shape;
    std::string by;  // as Row::chosen_by
    unsigned batch = 1;
};

// Throws Problem if the variant may not have that n or group, the device lacks something, or the
// text does not build.
BenchmarkCase variant_case(const BenchmarkContext& context, const catalogue::Variant& variant,
                           Programs& programs, std::uint64_t group,
                           const LaunchChoice& launch_choice = {});
BenchmarkCase host_case(const BenchmarkContext& context, const HostLoop& loop);

// The kernel that reads everything and does next to nothing, in each form that may be the fastest.
struct CeilingForm {
    catalogue::Shape shape;
    device::Program program;
};
std::vector<CeilingForm> build_ceiling(const device::Device& device);
// By the fastest of these; empty for an empty input.
std::optional<BenchmarkCase> ceiling_case(const BenchmarkContext& context,
                                          const std::vector<CeilingForm>& forms);

// Throws Problem for a toggle that none of the variants has, and for a value that one does not
// know.
void check_toggles(const catalogue::Catalogue& catalogue, const std::vector<std::string>& ids,
                   const catalogue::Shape& shape);

// For several variants each takes the toggles that it has.
catalogue::Shape shape_for(const catalogue::Variant& variant, catalogue::Shape shape);

// What `asked` leaves open, from `under`: a toggle or group that was asked for stands. The group
// stays open where `most_group`, the largest that suits the kernel, is 0: not known yet.
catalogue::Shape filled(catalogue::Shape asked, const catalogue::LaunchShape& under,
                        std::uint64_t most_group);

// Why a launch shape that was kept cannot be used after all, as a note: the file was written by
// hand, or with another header. Nothing if it can.
std::optional<std::string> unfit(const results::DeviceInfo& device,
                                 const catalogue::Variant& variant, const catalogue::Shape& asked,
                                 const catalogue::LaunchShape& kept, std::uint64_t n);

}  // namespace lab::measure
