// Every result that the machine says a small case can give, before a device is asked.
#pragma once

#include "catalogue/plan.h"
#include "catalogue/reference.h"
#include "results/report.h"

namespace lab::measure {

// Of independent work-items, with all groups at once: whatever step a device keeps, its results are
// among these. Bounded to a second or so; where it cannot be told, `why_not` says why.
results::Prediction predict(const catalogue::Variant& variant, const catalogue::Shape& shape,
                            const catalogue::Plan& plan, const catalogue::Values& input,
                            const catalogue::Reference& right);

}  // namespace lab::measure
