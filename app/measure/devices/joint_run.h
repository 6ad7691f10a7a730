// Runs one reduction on several devices at once, each on its part of the elements; and each part
// alone, for comparison.
#pragma once

#include <memory>
#include <vector>

#include "device/inputs.h"
#include "device/program.h"
#include "measure/devices/cut.h"
#include "measure/timing/benchmark_cases.h"

namespace lab::measure {

// A device's part and all that is needed to run it, in that device's context, queue and memory.
struct JointPart {
    const device::Device& device;
    const device::Program& program;
    catalogue::Shape shape;                  // chosen for this device
    std::shared_ptr<device::Inputs> inputs;  // of these elements only
    Cut cut;
    device::Reduction reduction;
    std::string by = {};  // as Row::chosen_by
};

// Throws Problem if the plan is no reduction of its input.
void check_split(const catalogue::Variant& variant, const catalogue::Plan& plan);

// A device's part of the elements as a launch of its own; `asked` has the requested toggles and
// group. Throws Problem if the variant does not allow that n or group, or the device lacks
// something.
JointPart joint_part(const device::Device& device, Programs& programs,
                     std::shared_ptr<device::Inputs> inputs, const Cut& cut,
                     const catalogue::Variant& variant, const catalogue::Shape& asked,
                     const catalogue::LaunchShape& suits);

// The row of all parts, and their runs. The right result is that of the whole input; its bound is
// that of the deepest part plus the combinations after it.
BenchmarkCase joint_case(std::vector<JointPart> parts, const catalogue::Variant& variant,
                         const catalogue::Shape& asked, const catalogue::Reference& right,
                         unsigned batch);

}  // namespace lab::measure
