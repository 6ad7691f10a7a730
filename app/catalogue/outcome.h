// Judges what a run left on the device against the host's reference, as the plan promises.
#pragma once

#include <string>

#include "base/exactness.h"
#include "catalogue/plan.h"
#include "catalogue/reference.h"

namespace lab::catalogue {

struct Outcome {
    Verdict verdict;
    std::string result;
};

// The right result for a shape: the reduction of the input, or the final value of `iterate`.
Reference right_for(const Plan& plan, const Shape& shape, const Values& input);

// The value of a whole or partial result: its first cell, or all parts combined.
Values value_of(const Values& cells, const Plan& plan, Op op);

// `cells`: the final contents of the result's buffer; for a whole reduction its first element is
// enough. A partial result is combined on the host; for an iteration all cells must be equal, and
// `result` is the first that is not as expected.
Outcome outcome_of(const Values& cells, const Plan& plan, const Shape& shape,
                   const Reference& right);

// Of an integer that wraps what exact arithmetic gives; else empty.
std::string unwrapped(const Reference& right);

// How near a right result is to the exact value. A wrong one is not asked.
Exactness exactness_of(const Outcome& outcome, const Reference& right);

}  // namespace lab::catalogue
