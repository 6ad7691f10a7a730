// Times one reduction that is split over several devices, and each device alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "device/benchmark_cases.h"
#include "device/job_run.h"
#include "device/measure.h"
#include "device/program.h"
namespace lab::device {

// Like measure(), with one part of the elements per device: equal parts for devices of the same
// name, else in proportion to their speed in a short trial of the variant. Each device holds its
// part in its own memory. A joint run submits all launches, waits for all and combines the results
// on the host in the devices' order; then, in the same round, each device runs its part alone. A
// device that cannot run a variant is left out of its rows, with a note. There is no read ceiling,
// which is a property of one device. Throws Problem only if nothing can start.
results::Measurements measure_together(
    const std::vector<device::Device>& devices,
    const std::vector<const catalogue::Kernel*>& kernels, const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {});

// The same on the requested devices; those that do not open are left out.
results::Measurements measure_together(
    const std::vector<const catalogue::Kernel*>& kernels, const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {});

// Divides the elements of one reduction among several devices.

struct Cut {
    std::size_t device = 0;  // index into the weights
    std::uint64_t first = 0, count = 0;
    friend bool operator==(const Cut&, const Cut&) = default;
};

// [0, n) in consecutive parts, in proportion to the devices' weights, which must be above 0. Parts
// meet at multiples of 65536 elements if n has eight of these per device; a device whose part would
// be empty gets none. If n is 0, the first device gets it.
std::vector<Cut> cut(std::uint64_t n, const std::vector<double>& weights);

// The elements of one size in the memories of several devices, each with its part.

class PartInputs {
  public:
    // The values must outlive it and the parts it returns. `warm` as in MeasureRequest.
    PartInputs(const catalogue::Values& input, bool warm)
        : elements_(device::span_of(input)),
          each_(info(catalogue::type_of(input)).bytes),
          warm_(warm) {}

    // Each cut's elements on its device, copied concurrently if they are not there yet; a part
    // lives as long as it is used. Throws Problem if a device lacks the memory.
    std::vector<std::shared_ptr<device::Inputs>> of(
        const std::vector<const device::Device*>& devices, const std::vector<Cut>& cuts);

  private:
    std::shared_ptr<device::Inputs> brought(const device::Device& device, const Cut& cut) const;

    using Key = std::tuple<const device::Device*, std::uint64_t, std::uint64_t>;
    std::span<const std::byte> elements_;
    std::size_t each_;  // bytes of an element
    bool warm_;
    std::map<Key, std::weak_ptr<device::Inputs>> there_;
};

// Runs one reduction on several devices at once, each on its part of the elements; and each part
// alone, for comparison.

// A device's part and all that is needed to run it, in that device's context, queue and memory.
struct JointPart {
    const device::Device& device;
    const device::Program& program;
    catalogue::Shape shape;                  // chosen for this device
    std::shared_ptr<device::Inputs> inputs;  // of these elements only
    Cut cut;
    device::JobRun job_run;
    std::string by = {};  // as Row::chosen_by
};

// Throws Problem if the plan is no reduction of its input.
void check_split(const catalogue::Kernel& variant, const catalogue::Job& plan);

// A device's part of the elements as a launch of its own; `asked` has the requested toggles and
// group. Throws Problem if the variant does not allow that n or group, or the device lacks
// something.
JointPart joint_part(const device::Device& device, Programs& programs,
                     std::shared_ptr<device::Inputs> inputs, const Cut& cut,
                     const catalogue::Kernel& variant, const catalogue::Shape& asked,
                     const catalogue::LaunchShape& suits);

// The row of all parts, and their runs. The right result is that of the whole input; its bound is
// that of the deepest part plus the combinations after it.
BenchmarkCase joint_case(std::vector<JointPart> parts, const catalogue::Kernel& variant,
                         const catalogue::Shape& asked, const catalogue::Reference& right,
                         unsigned batch);

}  // namespace lab::device
