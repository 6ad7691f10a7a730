// What the last run of a reduction left on a device, held against the reference.
#pragma once

#include "compute/reduction.h"
#include "measure/outcome.h"

namespace lab {

Outcome outcome_of(const compute::Reduction& reduction, const Shape& shape, const Reference& right);

}  // namespace lab
