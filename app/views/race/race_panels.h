// The panels of the race view.
#pragma once

#include <filesystem>

#include "gui/ui.h"
#include "views/step/step_panels.h"
namespace lab::session {
class Race;
}

namespace lab::gui {

void race_panel(Ui& ui, const Area& area);
void race_transport(Ui& ui, const Area& area);
void race_side(Ui& ui, const Area& area);
void race_text(Ui& ui, const Area& area);  // the kernel, who stands where in it, and variables
void present_race(Ui& ui);
figures::Slide race_slide(Ui& ui);  // the actions so far, and memory
void save_race(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

// "Run group 0", for the button that lets it do its next action.
std::string run_text(const Ui& ui, const analysis::WarpView& warp,
                     const analysis::StateView& state);
float run_button_width(const Ui& ui, const session::Race& race);  // points; the widest of all

}  // namespace lab::gui
