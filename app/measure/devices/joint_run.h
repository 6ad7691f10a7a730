// One reduction, run by several devices at once, each on its part of the elements; and each part
// alone, for comparison.
#pragma once

#include <memory>
#include <vector>

#include "device/inputs.h"
#include "device/program.h"
#include "measure/devices/cut.h"
#include "measure/timing/benchmark_cases.h"

namespace lab::measure {

// A device's part: what it takes to run it, in that device's own context, queue and memory.
struct JointPart {
    const device::Device& device;
    const device::Program& program;
    catalogue::Shape shape;                  // as this device likes it
    std::shared_ptr<device::Inputs> inputs;  // of these elements alone
    Cut cut;
    device::Reduction reduction;
    std::string by = {};  // where what nobody asked for comes from, as Row::chosen_by
};

// Throws Problem for a plan that is no reduction of its input.
void check_split(const catalogue::Variant& variant, const catalogue::Plan& plan);

// A device's part of the elements as its own launch; `asked` has the toggles and group that
// somebody asked for. Throws Problem if the variant may not have that n or group, or the device
// lacks something.
JointPart joint_part(const device::Device& device, Programs& programs,
                     std::shared_ptr<device::Inputs> inputs, const Cut& cut,
                     const catalogue::Variant& variant, const catalogue::Shape& asked,
                     const catalogue::LaunchShape& suits);

// The row of all parts, and their runs. The right result is that of the whole input, and its bound
// that of the deepest part and of the combinations after it.
BenchmarkCase joint_case(std::vector<JointPart> parts, const catalogue::Variant& variant,
                         const catalogue::Shape& asked, const catalogue::Reference& right,
                         unsigned batch);

}  // namespace lab::measure
