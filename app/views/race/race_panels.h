// The panels of the race view.
#pragma once

#include <filesystem>

#include "gui/ui.h"
#include "results/report.h"
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
// Says what has just happened, or how it ended.
Moment race_moment(const Ui& ui, const session::Race& race);
// "Challenge: make 33"; empty where nothing is asked for.
std::string challenge_text(const Ui& ui);
void save_race(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

void race_results(Ui& ui, float width);  // a part of race_side
// Says what independent items have, where the machine promises more than OpenCL does.
std::string independent_words(const Ui& ui, const analysis::IndependentOutcomes& other);

// "Run group 0", for the button that lets it do its next action.
std::string run_text(const Ui& ui, const analysis::WarpView& warp,
                     const analysis::StateView& state);
float run_button_width(const Ui& ui, const session::Race& race);  // points; the widest of all

// How often the device gave each result: a plain bar, and where runs with delays were tried, too, a
// striped one below it.

// Draws the bars of one result, from `point` on; `room`: pixels for the bars with their
// percentages.
void trial_bars(Ui& ui, const results::Trials& trials, const results::TrialResult& result,
                bool foreseen, ImVec2 point, float room);
float trial_bars_height(const Ui& ui, const results::Trials& trials);  // pixels

// Says what the bars are, with the part of the runs that went wrong.
void trial_legend(Ui& ui, const results::Trials& trials, float width);

}  // namespace lab::gui
