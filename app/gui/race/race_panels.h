// The panels of the race view.
#pragma once

#include <filesystem>

#include "gui/shell/window_view.h"
#include "gui/step/step_panels.h"

namespace lab::session {
class Race;
}

namespace lab::gui {

void race_panel(Ui& ui, const Area& area);
void race_transport(Ui& ui, const Area& area);
void race_side(Ui& ui, const Area& area);
void present_race(Ui& ui);
figures::Slide race_slide(Ui& ui);  // the actions so far, and memory
Moment race_moment(const Ui& ui, const session::Race& race);
void save_race(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

void race_results(Ui& ui, float width);  // a part of race_side

}  // namespace lab::gui
