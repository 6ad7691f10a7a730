// The results that the Measure view shows together: this machine's, and those that were added.
#pragma once

#include <vector>

#include "session/measure/measure_view.h"

namespace lab::session {

// Whether added results have the same operator and type as the others shown, so that they can be
// drawn together. This machine's decide, else the first added ones.
bool goes_with(const MeasureState& measure, const AddedResults& added);

// This machine's first, if there are any. They belong to `measure`.
std::vector<const results::Measurements*> shown_results(const MeasureState& measure);
// The same for charts, which do not report rows as missing while measuring.
std::vector<results::Measurements> results_to_draw(const MeasureState& measure);

// "lab-03.json: NVIDIA GeForce RTX 4090"
std::string name_of(const AddedResults& added);

}  // namespace lab::session
