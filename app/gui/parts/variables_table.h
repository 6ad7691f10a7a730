// What the work-items of a warp have in their variables, side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/lanes/warp_variables.h"
#include "gui/shell/ui.h"

namespace lab::gui {

// `first_item`: number of lane 0, in `space`; `running`: a bit for each lane that is not masked
// out.
void variables_table(const Ui& ui, const std::vector<analysis::VariableRow>& rows,
                     const IndexSpace& space, std::uint64_t first_item, std::uint64_t running);

}  // namespace lab::gui
