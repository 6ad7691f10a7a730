// The results that the Measure view shows together: this machine's, and those that were added.
#pragma once

#include <vector>

#include "session/measure/measure_view.h"

namespace lab::session {

// Whether added results are of the same operator and type as the others shown, and so can be
// drawn with them. This machine's own decide, else the first that were added.
bool goes_with(const MeasureState& measure, const AddedResults& added);

// This machine's own first, if it has rows. They belong to `measure`.
std::vector<const results::Measurements*> shown_results(const MeasureState& measure);
// The same as charts take them: what is still being measured is not told as missing.
std::vector<results::Measurements> results_to_draw(const MeasureState& measure);

// "lab-03.json: NVIDIA GeForce RTX 4090"
std::string name_of(const AddedResults& added);

}  // namespace lab::session
