// The race view's right side: every result, the races, what the toggle changes, the kernel's text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "figures/figures/state_figure.h"
#include "figures/figures/toggle_figure.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/variables_table.h"
#include "gui/parts/widgets.h"
#include "gui/race/race_panels.h"
#include "gui/step/step_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct RaceSideState {
    CachedScene toggled;
    std::string_view side = "results", text = "text";  // open tabs
};

figures::ToggledRun toggled(const Ui& ui, const simulation::MachineRun& run) {
    figures::ToggledRun toggled_run;
    toggled_run.timeline = &run.timeline;
    toggled_run.title = run.subject.variant ? title_of(ui, *run.subject.variant) : run.table.title;
    toggled_run.result = run.table.result;
    toggled_run.expected = run.table.expected;
    toggled_run.right = run.table.right;
    for (const analysis::Row& row : run.table.rows)
        for (const analysis::RacedCell& raced : row.raced)
            toggled_run.luck |= raced.ordered == analysis::RacedCell::Ordered::by_nothing;
    toggled_run.exactness = run.table.exactness;
    return toggled_run;
}

void toggle_part(Ui& ui, float width) {
    const session::RunState& mine = ui.view<session::StepView>().simulated();
    const session::RunState& other = ui.view<session::StepView>().other();
    if (const session::Command& toggle = ui.session.command("toggle.broken");
        !toggle.enabled(ui.session))
        return wrapped(ui.tr()(toggle.why_not(ui.session)), width);
    {
        const TextStyle style(ui, Face::bold, kTextSize + 2);
        wrapped(ui.tr()("toggle.title"), width);
    }
    if (other.problem) problem_card(ui, *other.problem, width);
    if (!mine.run || !other.run || mine.run->run == nullptr || other.run->run == nullptr) {
        label(ui, ui.tr()("step.waiting"));
        return;
    }
    const float points = width / ui.scale;
    const figures::Scene& scene = ui.state<RaceSideState>().toggled.get(
        ui, fmt::format("{} {} {}", mine.version, other.version, points), [&] {
            std::vector<figures::ToggledRun> runs{toggled(ui, *mine.run), toggled(ui, *other.run)};
            if (!ui.view<session::StepView>().broken()) std::swap(runs[0], runs[1]);
            return figures::toggle_figure(runs, {points, ui.palette.text_scale}, ui.metrics,
                                          ui.tr());
        });
    show_scene(ui, scene, "toggled",
               {width, std::min(ui.px(scene.height) + ui.px(6), ImGui::GetContentRegionAvail().y)});
}

std::uint32_t scheduled_line(const Ui& ui) {
    const session::Race* race = ui.view<session::RaceView>().race();
    return race != nullptr && race->state_view().last ? race->state_view().last->line : 0;
}

// Who goes on in that line: a badge for each group, filled for the one that the keys are on.
std::vector<LineNote> who_notes(const Ui& ui, std::uint32_t line) {
    const session::RaceView& view = ui.view<session::RaceView>();
    if (view.race() == nullptr) return {};
    const analysis::StateView& state = view.race()->state_view();
    const auto& ready = view.race()->ready();
    constexpr std::size_t kMost = 3;
    std::vector<LineNote> notes;
    std::size_t more = 0;
    for (const analysis::WarpView& warp : state.warps) {
        if (warp.line != line || warp.status == machine::Status::done) continue;
        if (notes.size() == kMost) {
            ++more;
            continue;
        }
        const std::string who = figures::warp_text(warp, state, ui.tr());
        const bool picked = view.picked() < ready.size() && ready[view.picked()] == &warp;
        const bool waits = warp.status == machine::Status::waiting;
        notes.push_back(
            {picked ? LineNote::Look::picked : LineNote::Look::badge, who,
             who + ": " + ui.tr()(waits ? "race.waits" : "race.next", fmt::arg("line", line))});
    }
    if (more > 0)
        notes.push_back({LineNote::Look::badge, fmt::format("+{}", more),
                         ui.tr()("race.more", fmt::arg("count", more))});
    return notes;
}

void text_part(Ui& ui) {
    kernel_inside(ui, ImGui::GetContentRegionAvail(), {scheduled_line(ui), who_notes, false});
}

// Of the warp that the keys are on; at the end of who acted last.
void variables_part(Ui& ui) {
    const session::RaceView& view = ui.view<session::RaceView>();
    if (view.race() == nullptr) return;
    const session::Race& race = *view.race();
    if (view.picked() >= race.ready().size()) return label(ui, ui.tr()("side.no_variables"));
    const analysis::WarpView& warp = *race.ready()[view.picked()];
    label(ui, figures::warp_text(warp, race.state_view(), ui.tr()));
    variables_table(ui, race.variables(warp), race.state_view().space, warp.first_item,
                    warp.running);
}

void results_part(Ui& ui) {
    race_results(ui, ImGui::GetContentRegionAvail().x - ui.px(4));
}

void hazards_part(Ui& ui) {
    const session::RaceView& view = ui.view<session::RaceView>();
    if (view.race() == nullptr) return;
    hazard_list(ui, view.race()->hazards(), view.race()->cursor(),
                ImGui::GetContentRegionAvail().x - ui.px(4), view.race()->for_these_numbers());
}

void toggle_part(Ui& ui) {
    toggle_part(ui, ImGui::GetContentRegionAvail().x - ui.px(4));
}

struct RaceTab {
    std::string_view id;
    void (*draw)(Ui& ui);
    bool text = false;  // of the kernel's text: in a card of their own where there is room
};
constexpr std::array kRaceTabs{RaceTab{"results", results_part}, RaceTab{"hazards", hazards_part},
                               RaceTab{"toggle", toggle_part}, RaceTab{"text", text_part, true},
                               RaceTab{"variables", variables_part, true}};

const RaceTab& tab_of(std::string_view id) {
    const auto* const found = std::find_if(kRaceTabs.begin(), kRaceTabs.end(),
                                           [&](const RaceTab& tab) { return tab.id == id; });
    return found == kRaceTabs.end() ? kRaceTabs.front() : *found;
}

// The tab that is open in the card of the results, and in the one of the text.
std::string_view& open_tab(Ui& ui, bool text) {
    RaceSideState& state = ui.state<RaceSideState>();
    const RaceTab& asked = tab_of(ui.view<session::RaceView>().side());
    (asked.text ? state.text : state.side) = asked.id;
    return text ? state.text : state.side;
}

void tabs(Ui& ui, std::string_view open, bool both, bool text) {
    bool first = true;
    for (const RaceTab& tab : kRaceTabs) {
        if (!both && tab.text != text) continue;
        const std::string key = "race.tab_" + std::string(tab.id);
        if (!std::exchange(first, false)) ImGui::SameLine(0, 0);
        if (pill(ui, key.c_str(), ui.tr()(key), open == tab.id))
            ui.change<session::RaceView>().show_side(std::string(tab.id));
        tip(ui, ui.tr()(key + ".tip"));
    }
    ImGui::Dummy({0, ui.px(4)});
    const RaceTab& tab = tab_of(open);
    if (tab.text) return tab.draw(ui);
    ImGui::BeginChild("tab", ImGui::GetContentRegionAvail());
    tab.draw(ui);
    ImGui::EndChild();
}

bool has_text_card(const Ui& ui) {
    return !ui.narrow() && !ui.low();
}

}  // namespace

void race_side(Ui& ui, const Area& area) {
    begin_card(ui, "race_side", area.at, area.size);
    const bool apart = has_text_card(ui);
    const std::string_view results = open_tab(ui, false);
    tabs(ui, apart ? results : tab_of(ui.view<session::RaceView>().side()).id, !apart, false);
    end_card();
}

void race_text(Ui& ui, const Area& area) {
    begin_card(ui, "race_text", area.at, area.size);
    tabs(ui, open_tab(ui, true), false, true);
    end_card();
}

}  // namespace lab::gui
