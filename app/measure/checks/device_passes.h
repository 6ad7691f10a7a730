// A variant on a device, pass by pass: which cells a pass writes, and who does, is as the machine
// finds it; what they hold then is the device's own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/rows/trace_rows.h"
#include "catalogue/plan.h"
#include "catalogue/reference.h"
#include "device/device.h"
#include "results/report.h"

namespace lab::measure {

struct DevicePasses {
    // Row by row alike, but for the values; "?" where the device did not tell, or nobody wrote.
    std::vector<analysis::Row> rows, machine;
    std::vector<analysis::RowTrace> traces;  // of each row but the first
    std::vector<std::vector<std::uint32_t>> barriers, machine_barriers;  // a launch, a group
    catalogue::Values last;   // what the last launch's buffer of values holds at the end
    std::uint32_t lanes = 0;  // of a sub-group, where the kernel has to do with them
    bool optimised = true;    // by the device's compiler
};

// Whether the kernel waits at barriers, so that the device can tell of its passes. Throws Problem
// for what is wrong with the text.
bool has_passes(const catalogue::Variant& variant, const catalogue::Shape& shape);

// Runs the plan, which has launches, on the device and on a machine where all groups run at once.
// A device can tell of its memory at barriers only: where the kernel has none, all but the rows in
// which a launch ends are "?". Where it is a matter of time which group passes how many barriers,
// the machine lets those that passed more go last.
//
// A compiler may get a text right but not the same text with copies in it: PoCL 3.1 does. So where
// the device differs from the machine, but the plain text ends as it does there, what is told is
// what the text with copies does without optimisation, if that does not differ.
//
// Where the kernel has to do with sub-groups, the machine's warps are as wide as those are on the
// device.
//
// Throws Problem where one of them cannot run it, or it cannot be watched, or where the device's
// sub-groups are wider than a warp can be.
DevicePasses device_passes(const device::Device& device, const catalogue::Variant& variant,
                           const catalogue::Shape& shape, const catalogue::Plan& plan,
                           const catalogue::Values& input);

// The values that the plan leaves without anybody watching. Throws Problem.
catalogue::Values plain_end(const device::Device& device, const catalogue::Variant& variant,
                            const catalogue::Shape& shape, const catalogue::Plan& plan,
                            const catalogue::Values& input);

struct Comparison {
    std::uint64_t passes = 0;  // of which a cell or more was compared
    std::optional<results::PassDifference> first;
};

// Where the device and the machine part. All values must be the same; but those of floats into
// which atomics combined, in any order that is, may be as far from each other as two results that
// `right` and the plan's depth allow for.
Comparison compare(const DevicePasses& passes, const catalogue::Shape& shape,
                   const catalogue::Plan& plan, const catalogue::Reference& right);

}  // namespace lab::measure
