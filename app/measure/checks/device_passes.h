// A variant on a device, pass by pass: which cells a pass writes, and who does, is taken from the
// machine; the values are the device's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/rows.h"
#include "catalogue/plan.h"
#include "catalogue/reference.h"
#include "device/device.h"
#include "results/report.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

struct DevicePasses {
    // The same rows but for the values; "?" if the device does not show it, or it was never
    // written.
    std::vector<analysis::Row> rows, machine;
    std::vector<analysis::RowTrace> traces;  // of each row but the first
    std::vector<std::vector<std::uint32_t>> barriers, machine_barriers;  // by launch and group
    std::vector<std::vector<std::byte>> after;  // what the last launch left in the buffers
    catalogue::Values last;   // of a variant: the last launch's buffer of values in it
    std::uint32_t lanes = 0;  // of a sub-group, if the kernel uses them
    bool optimised = true;    // by the device's compiler
    std::string note;         // why only the end is known; else empty
};

// Whether the kernel has barriers, so that the device can show its passes. Throws Problem for
// errors in the text.
bool has_passes(const catalogue::Variant& variant, const catalogue::Shape& shape);

// Runs the plan, which must have launches, on the device and on a machine where all groups run at
// once. A device can show its memory only at barriers: if the kernel has none, all rows but those
// at the end of a launch are "?". If the number of barriers that a group passes depends on timing,
// the machine runs those that passed more last.
//
// A compiler may translate a text correctly, but not its instrumented form: PoCL 3.1 does that. So
// if the device differs from the machine, but the plain text ends as on the machine, the rows are
// those of the instrumented text without optimisation, if they do not differ.
//
// If the kernel uses sub-groups, the machine's warps are as wide as the device's sub-groups.
//
// Throws Problem if one of them cannot run it, if it cannot be instrumented, or if the device's
// sub-groups are wider than a warp can be.
DevicePasses device_passes(const device::Device& device, const catalogue::Variant& variant,
                           const catalogue::Shape& shape, const catalogue::Plan& plan,
                           const catalogue::Values& input);

// The same for a user kernel, whose right result is not known: where the device differs from the
// machine, which may be a race, it counts if the plain text differs, too.
DevicePasses device_passes(const device::Device& device, const simulation::UserKernel& kernel);

// The values that the plain plan leaves. Throws Problem.
catalogue::Values plain_end(const device::Device& device, const catalogue::Variant& variant,
                            const catalogue::Shape& shape, const catalogue::Plan& plan,
                            const catalogue::Values& input);

struct Comparison {
    std::uint64_t passes = 0;  // with at least one compared cell
    std::optional<results::PassDifference> first;
};

// Where the device and the machine differ. All values must be equal; but floats that atomics
// combined, in any order, may differ by as much as `right` and the plan's depth allow.
Comparison compare(const DevicePasses& passes, const catalogue::Shape& shape,
                   const catalogue::Plan& plan, const catalogue::Reference& right);

}  // namespace lab::measure
