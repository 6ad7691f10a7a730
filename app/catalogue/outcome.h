// What a run left on the device, held against the host's reference by what the plan promises.
#pragma once

#include <string>

#include "catalogue/plan.h"
#include "catalogue/reference.h"

namespace lab::catalogue {

struct Outcome {
    Verdict verdict;
    std::string result;
};

// What is right for a shape: the reduction of the input, or what `iterate` ends in.
Reference right_for(const Plan& plan, const Shape& shape, const Values& input);

// What the cells of a whole or partial result stand for: its first cell, or all parts combined.
Values value_of(const Values& cells, const Plan& plan, Op op);

// `cells`: what the result's buffer holds at the end; of a whole reduction its first element will
// do. A partial result is combined on the host; of an iteration all cells must be equal, and
// `result` is the first that is not as expected.
Outcome outcome_of(const Values& cells, const Plan& plan, const Shape& shape,
                   const Reference& right);

}  // namespace lab::catalogue
