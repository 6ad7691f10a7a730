// The table of views: an entry each, with its panels and the writer of its picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gui/ui.h"
#include "gui/widgets.h"
#include "views/lattice/lattice.h"
#include "views/lattice/lattice_panels.h"
#include "views/learn/learn.h"
#include "views/learn/learn_panels.h"
#include "views/measure/measure.h"
#include "views/measure/measure_panels.h"
#include "views/race/race.h"
#include "views/race/race_panels.h"
#include "views/shell/shell.h"
#include "views/sizes/sizes.h"
#include "views/sizes/sizes_panels.h"
#include "views/step/step.h"
#include "views/step/step_panels.h"

namespace lab::gui {

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
constexpr std::array kSizesPanels{
    Panel{"variants", Place::left, variant_list}, Panel{"sizes", Place::centre, sizes_panel},
    Panel{"kernel", Place::right, sizes_text}, Panel{"found", Place::right_below, sizes_found}};
constexpr std::array kLearnPanels{Panel{"learn", Place::whole, learn_panel}};

constexpr std::array kStepKeys{"step.forward", "step.back", "step.uncover", "step.foretell",
                               "toggle.broken"};
constexpr std::array kRaceKeys{"race.act", "race.next", "step.back", "toggle.broken"};
constexpr std::array kLearnKeys{"learn.reveal", "learn.take_back", "learn.another", "step.forward",
                                "step.back"};
constexpr std::array kSizesKeys{"sizes.open"};
constexpr std::array kLatticeKeys{"lattice.closer", "lattice.farther", "lattice.fault"};

constexpr std::array kViews{
    WindowView{&session::kStepView, kStepPanels, save_step, step_slide, present_step, kStepKeys,
               step_wants_width},
    WindowView{&session::kRaceView, kRacePanels, save_race, race_slide, present_race, kRaceKeys},
    WindowView{&session::kLatticeView, kLatticePanels, save_lattice, nullptr, present_lattice,
               kLatticeKeys},
    WindowView{&session::kMeasureView, kMeasurePanels, save_measure, nullptr, present_measure},
    WindowView{&session::kLearnView, kLearnPanels, nullptr, nullptr, present_learn, kLearnKeys},
    WindowView{&session::kSizesView, kSizesPanels, save_sizes, nullptr, present_sizes, kSizesKeys},
};

std::span<const WindowView> window_views() {
    return kViews;
}

// Where the panels of the view on screen lie.
namespace {

struct Layout {
    Area top, left, centre, bottom, right, right_below, whole, log;
};

// For the places that the view has, in a window of this size; one without a size has no room.
Layout layout_of(const Ui& ui, const WindowView& view) {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float gap = ui.px(12), bar = ui.px(kTopBar), y = bar + gap;
    const float points = size.x / ui.scale;
    const bool form = view.has(Place::left_form);
    const bool has_left = form || (view.has(Place::left) && !ui.folds_list());
    const bool column = has_right_column(ui);
    Layout layout;
    layout.top = {{0, 0}, {size.x, bar}};
    const float log = ui.session.log_shown ? log_height(ui) : 0;
    if (log > 0) layout.log = {{gap, size.y - log}, {size.x - 2 * gap, log - gap}};
    const float hint = strip_height(ui);
    const float height = size.y - y - gap - log - (column ? 0 : hint);
    const float left = ui.px(form ? std::min(300.0F, points * 0.42F) : 230);
    if (has_left) layout.left = {{gap, y}, {left, height}};
    const float x = has_left ? gap + left + gap : gap;
    float end = size.x - gap;
    if (column) {
        const float right = right_column_width(ui);
        const float right_height = height - hint;
        layout.right = {{size.x - gap - right, y}, {right, right_height}};
        if (view.has(Place::right_below) && !ui.low()) {
            const float part = std::floor((right_height - gap) * 0.44F);
            layout.right_below = {{layout.right.at.x, y + right_height - part}, {right, part}};
            layout.right.size.y = right_height - gap - part;
        }
        end = layout.right.at.x - gap;
    }
    const float below = ui.px(ui.low() ? 62 : 104);
    layout.centre = {{x, y}, {end - x, view.has(Place::bottom) ? height - below - gap : height}};
    layout.bottom = {{x, y + height - below}, {end - x, below}};
    layout.whole = {{x, y}, {size.x - gap - x, height}};
    if (form && ui.phone()) {  // the form above what it is for
        const float part = std::floor(height * 0.4F);
        layout.left = {{gap, y}, {size.x - 2 * gap, part}};
        layout.whole = {{gap, y + part + gap}, {size.x - 2 * gap, height - part - gap}};
    }
    return layout;
}

// In the order of Place.
constexpr std::array<Area Layout::*, 7> kAreas{
    &Layout::left,  &Layout::left,        &Layout::centre, &Layout::bottom,
    &Layout::right, &Layout::right_below, &Layout::whole};

// Under the picture, what the keys do; for who has none, each is a button.
void key_line(const Ui& ui, const WindowView& view, ImVec2 point, float width) {
    struct Key {
        const session::Command* command;
        std::string words;
    };
    std::vector<Key> keys;
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    const float gap = ui.px(20);
    float wide = -gap;
    const auto add = [&](const char* id) {
        const session::Command& command = ui.session.command(id);
        const std::string_view key = command.key;
        const std::string shown = key == "Right" ? "→" : key == "Left" ? "←" : std::string(key);
        std::string words = shown + " " + ui.tr()(std::string("present.") + id);
        const float more = words_width(words) + gap;
        if (wide + more > width) return;
        wide += more;
        keys.push_back({&command, std::move(words)});
    };
    add("present");  // the last to be left out
    for (const char* id : view.present_keys)
        if (ui.session.command(id).enabled(ui.session)) add(id);
    std::rotate(keys.begin(), keys.begin() + std::min<std::ptrdiff_t>(1, std::ssize(keys)),
                keys.end());
    float x = point.x + (width - wide) / 2;
    for (const Key& key : keys) {
        const ImVec2 size = ImGui::CalcTextSize(key.words.c_str());
        ImGui::SetCursorScreenPos({x - gap / 2, point.y - ui.px(5)});
        if (ImGui::InvisibleButton(key.command->id, {size.x + gap, ui.px(kTouch)}))
            ui.run(*key.command);
        Pen(ui).text({x, point.y}, key.words, ImGui::IsItemHovered() ? Role::act : Role::muted);
        x += size.x + gap;
    }
}

// The view's picture over the whole window.
void draw_alone(Ui& ui, const WindowView& view) {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    fill_area(ui, {0, 0}, size);
    const float margin = ui.px(ui.phone() ? 12 : 26), keys = ui.px(26);
    ImGui::SetCursorScreenPos({margin, ui.px(14)});
    ImGui::BeginChild("presented", {size.x - 2 * margin, size.y - ui.px(14) - keys});
    view.present(ui);
    ImGui::EndChild();
    key_line(ui, view, {margin, size.y - keys + ui.px(5)}, size.x - 2 * margin);
}

}  // namespace

void draw_window(Ui& ui) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(viewport.Size);
    begin_window("window", {0, 0}, 0, 0,
                 // No ground either: the frame was cleared to it.
                 ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    watch_tooltips(ui);
    const WindowView view = shown_view(ui);
    if (ui.session.presenting && view.present != nullptr) {
        const TextStyle text(ui, Face::sans, kTextSize);
        draw_alone(ui, view);
    } else {
        const Layout layout = layout_of(ui, view);
        const TextStyle text(ui, Face::sans, kTextSize);
        top_bar(ui, layout.top);
        for (const Panel& panel : view.panels)
            if (const Area& area = layout.*kAreas.at(static_cast<std::size_t>(panel.place));
                area.size.x > 0)
                panel.draw(ui, area);
        if (layout.log.size.x > 0) log_panel(ui, layout.log);
    }
    ImGui::End();
    const TextStyle text(ui, Face::sans, kTextSize);
    draw_overlays(ui);
    ui.change().pointed.end_frame(ui.session);
}

}  // namespace lab::gui
