// The table of views: an entry each, with its panels and the writer of its picture.
#include <algorithm>
#include <array>

#include "gui/ui.h"
#include "views/lattice/lattice.h"
#include "views/lattice/lattice_panels.h"
#include "views/learn/learn.h"
#include "views/learn/learn_panels.h"
#include "views/measure/measure.h"
#include "views/measure/measure_panels.h"
#include "views/race/race.h"
#include "views/race/race_panels.h"
#include "views/shell/shell.h"
#include "views/step/step.h"
#include "views/step/step_panels.h"

namespace lab::gui {
namespace {

constexpr std::array kStepPanels{
    Panel{"variants", Place::left, variant_list}, Panel{"step", Place::centre, step_panel},
    Panel{"transport", Place::bottom, step_transport}, Panel{"kernel", Place::right, kernel_text},
    Panel{"side", Place::right_below, step_side}};
constexpr std::array kRacePanels{
    Panel{"race", Place::centre, race_panel}, Panel{"transport", Place::bottom, race_transport},
    Panel{"side", Place::right, race_side}, Panel{"who", Place::right_below, race_text}};
constexpr std::array kLatticePanels{Panel{"variants", Place::left, variant_list},
                                    Panel{"lattice", Place::whole, lattice_panel}};
constexpr std::array kMeasurePanels{Panel{"what", Place::left_form, measure_choices},
                                    Panel{"results", Place::whole, measure_results}};
constexpr std::array kLearnPanels{Panel{"learn", Place::whole, learn_panel}};

constexpr std::array kStepKeys{"step.forward", "step.back", "toggle.broken"};
constexpr std::array kRaceKeys{"race.act", "race.next", "step.back", "toggle.broken"};
constexpr std::array kLearnKeys{"learn.reveal", "learn.take_back", "step.forward", "step.back"};
constexpr std::array kLatticeKeys{"lattice.closer", "lattice.farther", "lattice.fault"};

constexpr std::array kViews{
    WindowView{&session::kStepView, kStepPanels, save_step, step_slide, present_step, kStepKeys,
               step_wants_width},
    WindowView{&session::kRaceView, kRacePanels, save_race, race_slide, present_race, kRaceKeys},
    WindowView{&session::kLatticeView, kLatticePanels, save_lattice, nullptr, present_lattice,
               kLatticeKeys},
    WindowView{&session::kMeasureView, kMeasurePanels, save_measure, nullptr, present_measure},
    WindowView{&session::kLearnView, kLearnPanels, nullptr, nullptr, present_learn, kLearnKeys},
};

}  // namespace

std::span<const WindowView> window_views() {
    return kViews;
}

}  // namespace lab::gui
