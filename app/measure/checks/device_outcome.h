// What the last run of a reduction left on a device, held against the reference.
#pragma once

#include "device/reduction.h"
#include "catalogue/outcome.h"

namespace lab {

// The cells that tell it: all of a partial result or of an iteration, else the first.
Values cells_of(const compute::Reduction& reduction, Type type);

Outcome outcome_of(const compute::Reduction& reduction, const Shape& shape, const Reference& right);

}  // namespace lab
