// What a run printed, one below the other.
#pragma once

#include <vector>

#include "analysis/rows/prints.h"
#include "gui/shell/ui.h"

namespace lab::gui {

// In the room of a child window. What is printed after `time` actions is dim; after `end` it is
// left out.
void printed_list(Ui& ui, const std::vector<analysis::PrintedText>& prints, std::uint64_t time,
                  std::uint64_t end);

}  // namespace lab::gui
