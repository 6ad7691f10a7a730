// Every result that the machine says a small case can give, before a device is asked.
#pragma once

#include "catalogue/plan.h"
#include "catalogue/reference.h"
#include "results/report.h"

namespace lab {

// Of independent work-items, with all groups at once: whatever step a device keeps, its results are
// among these. Bounded to a second or so; where it cannot be told, `why_not` says why.
Prediction predict(const Variant& variant, const Shape& shape, const Plan& plan,
                   const Values& input, const Reference& right);

}  // namespace lab
