// The buttons and the scrubber to step through what a view shows.
#pragma once

#include <string>
#include <vector>

#include "gui/shell/ui.h"
#include "simulation/machine_run.h"

namespace lab::gui {

// A mark on the scrubber.
struct Stop {
    float part = 0;  // of the whole way, 0 to 1
    simulation::Mark::Kind kind = simulation::Mark::Kind::barrier;
    std::string name;  // may be empty
};

// `count` of `all`, 0 to 1.
float part_of(std::uint64_t count, std::uint64_t all);

// "step 2 of 3": where the view on screen is; empty: it has no steps.
std::string walk_text(const Ui& ui);
// `more`: draws controls beside the buttons.
void transport(Ui& ui, const Area& area, const std::vector<Stop>& stops,
               void (*more)(Ui&) = nullptr);

}  // namespace lab::gui
