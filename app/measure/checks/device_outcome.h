// Compares what the last run of a reduction left on a device with the reference.
#pragma once

#include "catalogue/outcome.h"
#include "device/reduction.h"

namespace lab::measure {

// The cells with the result: all of a partial result or of an iteration, else the first.
catalogue::Values cells_of(const device::Reduction& reduction, catalogue::Type type);

catalogue::Outcome outcome_of(const device::Reduction& reduction, const catalogue::Shape& shape,
                              const catalogue::Reference& right);

}  // namespace lab::measure
