// One reduction, run by several devices at once, each on its part of the elements; and each part
// alone, for comparison.
#pragma once

#include <memory>
#include <vector>

#include "device/inputs.h"
#include "device/program.h"
#include "measure/devices/cut.h"
#include "measure/timing/entries.h"

namespace lab {

// A device's part: what it takes to run it, in that device's own context, queue and memory.
struct JointPart {
    const compute::Device& device;
    const compute::Program& program;
    Shape shape;                              // as this device likes it
    std::shared_ptr<compute::Inputs> inputs;  // of these elements alone
    Cut cut;
    compute::Reduction reduction;
    std::string by = {};  // where what nobody asked for comes from, as Row::chosen_by
};

// Throws Problem for a plan that is no reduction of its input.
void check_split(const Variant& variant, const Plan& plan);

// A device's part of the elements as its own launch; `asked` has the toggles and group that
// somebody asked for. Throws Problem if the variant may not have that n or group, or the device
// lacks something.
JointPart joint_part(const compute::Device& device, Programs& programs,
                     std::shared_ptr<compute::Inputs> inputs, const Cut& cut,
                     const Variant& variant, const Shape& asked, const LaunchShape& suits);

// The row of all parts, and their runs. The right result is that of the whole input, and its bound
// that of the deepest part and of the combinations after it.
Entry joint_entry(std::vector<JointPart> parts, const Variant& variant, const Shape& asked,
                  const Reference& right, unsigned batch);

}  // namespace lab
