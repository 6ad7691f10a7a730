// Predicts every result that a small case can give, before a device runs it.
#pragma once

#include "catalogue/plan.h"
#include "catalogue/reference.h"
#include "results/report.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

// For independent work-items, with all groups at once: whatever a device's lockstep, its results
// are among these. Limited to about a second; if that fails, `why_not` says why.
results::Prediction predict(const catalogue::Variant& variant, const catalogue::Shape& shape,
                            const catalogue::Plan& plan, const catalogue::Values& input,
                            const catalogue::Reference& right);
// The same for the contents of a user kernel's buffers.
results::Prediction predict(const simulation::UserKernel& kernel);

}  // namespace lab::measure
