#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <tuple>

#include "base/platform.h"
#include "catalogue/gain.h"
#include "catalogue/number.h"
#include "gui/measure/chart_figure.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/choice_fields.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"
#include "results/device_team.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

// The device that is measured; null while it is not known, or if they are several.
const results::DeviceInfo* device_of(const Ui& ui, const session::MeasureChoice& choice) {
    if (results::names_several(choice.shape.device)) return nullptr;
    return info_in_use(ui.session);
}

// A click ticks all of the chapter, or none if all are.
void chapter_heading(Ui& ui, const std::string& chapter, session::MeasureChoice& choice) {
    std::vector<std::string> ids;
    for (const catalogue::Variant& variant : ui.session.catalogue().variants)
        if (variant.chapter == chapter) ids.push_back(variant.id);
    const auto ticked = [&](const std::string& id) {
        return std::find(choice.variants.begin(), choice.variants.end(), id) !=
               choice.variants.end();
    };
    const bool all = std::all_of(ids.begin(), ids.end(), ticked);
    const std::string name = fmt::format(
        "{} · {}", chapter, ui.tr().get("chapter." + chapter, ui.tr()("chapter.opened")));
    const TextStyle style(ui, Face::bold, kSmallSize, Role::muted);
    if (ImGui::Selectable((ui.metrics.shortened(name, ImGui::GetContentRegionAvail().x / ui.scale,
                                                kSmallSize, Face::bold) +
                           "###chapter." + chapter)
                              .c_str(),
                          false, 0, {0, touch_row(ui, name)})) {
        std::erase_if(choice.variants, [&](const std::string& id) {
            return std::find(ids.begin(), ids.end(), id) != ids.end();
        });
        if (!all) choice.variants.insert(choice.variants.end(), ids.begin(), ids.end());
    }
    tip(ui, ui.tr()("measure.chapter.tip"));
}

void variant_box(Ui& ui, const catalogue::Variant& variant, const std::string& obstacle,
                 session::MeasureChoice& choice) {
    const auto position = std::find(choice.variants.begin(), choice.variants.end(), variant.id);
    bool on = position != choice.variants.end();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ui.px(8);
    const std::string title =
        ui.metrics.shortened(title_of(ui, variant), room / ui.scale, kTextSize, Face::sans);
    const TextStyle style(ui, Face::sans, kTextSize, obstacle.empty() ? Role::text : Role::muted);
    if (ImGui::Checkbox((title + "###" + variant.id).c_str(), &on)) {
        if (on)
            choice.variants.push_back(variant.id);
        else
            choice.variants.erase(position);
    }
    tip(ui, ui.tr().get("variant." + variant.id + ".teaches", variant.teaches));
    if (obstacle.empty()) return;
    const TextStyle small(ui, Face::sans, kSmallSize, Role::muted);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetFrameHeight() + ui.px(8));
    wrapped(obstacle, room);
}

void variant_boxes(Ui& ui, session::MeasureChoice& choice) {
    bool shown = !ImGui::IsWindowAppearing();  // the first that is chosen is in view at first
    std::string chapter;
    const results::DeviceInfo* device = device_of(ui, choice);
    for (const catalogue::Variant& variant : ui.session.catalogue().variants) {
        if (variant.chapter != chapter) {
            if (!chapter.empty()) ImGui::Dummy({0, ui.px(4)});
            chapter = variant.chapter;
            chapter_heading(ui, chapter, choice);
        }
        const std::string why =
            device == nullptr ? "" : obstacle_text(ui, *device, variant, choice.shape.type);
        variant_box(ui, variant, why, choice);
        if (!shown && std::find(choice.variants.begin(), choice.variants.end(), variant.id) !=
                          choice.variants.end()) {
            ImGui::SetScrollHereY();
            shown = true;
        }
    }
}

// How a row's runs end: by their number, or by how precise their median is.
struct Runs {
    int repeat;
    double precision, limit_s;
};
constexpr std::array kRuns{Runs{3, 0, 0},      Runs{10, 0, 0},     Runs{30, 0, 0},
                           Runs{100, 0, 0},    Runs{1000, 0, 0},   Runs{0, 0.05, 0.5},
                           Runs{0, 0.01, 0.5}, Runs{0, 0.005, 15}, Runs{0, 0.001, 60}};

std::string runs_words(const Ui& ui, const Runs& runs) {
    if (runs.repeat > 0) return fmt::format("{}", runs.repeat);
    return ui.tr()("runs.precise", fmt::arg("percent", fmt::format("{:.3g}", runs.precision * 100)),
                   fmt::arg("limit", fmt::format("{:.3g}", runs.limit_s)));
}

void runs(const Ui& ui, session::MeasureChoice& choice, float width) {
    std::vector<Runs> offered(kRuns.begin(), kRuns.end());
    const auto same = [&](const Runs& of) {
        return of.repeat == choice.repeat && (of.repeat > 0 || (of.precision == choice.precision &&
                                                                of.limit_s == choice.limit_s));
    };
    if (std::none_of(offered.begin(), offered.end(), same))
        offered.push_back({choice.repeat, choice.precision, choice.limit_s});
    std::vector<std::string> words;
    int now = 0;
    for (const Runs& of : offered) {
        if (same(of)) now = static_cast<int>(words.size());
        words.push_back(runs_words(ui, of));
    }
    const int chosen = combo(ui, "###runs", words, now, width);
    if (chosen < 0) return;
    const Runs& of = offered[static_cast<std::size_t>(chosen)];
    choice.repeat = of.repeat;
    if (of.repeat > 0) return;
    choice.precision = of.precision;
    choice.limit_s = of.limit_s;
}

// Where a group and toggles come from that nobody asked for.
void launch_shapes(const Ui& ui, session::MeasureChoice& choice, float width) {
    std::vector<std::string> words;
    for (const results::LaunchShapes shapes :
         {results::LaunchShapes::table, results::LaunchShapes::kept, results::LaunchShapes::search})
        words.push_back(ui.tr()(fmt::format("shapes.{}", name_of(shapes))));
    const bool open = choice.groups.empty();
    ImGui::BeginDisabled(!open);
    const int chosen = combo(ui, "###shapes", words, static_cast<int>(choice.shapes), width);
    ImGui::EndDisabled();
    tip(ui, ui.tr()(open ? "field.shapes.tip" : "field.shapes.groups"));
    if (chosen >= 0) choice.shapes = static_cast<results::LaunchShapes>(chosen);
}

template <typename Draw>
void row(const Ui& ui, const std::string& name, Draw&& draw) {
    ImGui::AlignTextToFramePadding();
    label(ui, name);
    ImGui::SameLine(ui.px(112));
    draw(ImGui::GetContentRegionAvail().x);
}

// What starts a measurement: the whole ladder, what is chosen, what is ticked.
void start_buttons(Ui& ui, float width) {
    command_button(ui, "measure.ladder", ui.tr()("command.measure.ladder"), true, width);
    const float gap = ui.px(6), half = (width - gap) / 2;
    command_button(ui, "measure.chosen", ui.tr()("measure.chosen"), false, half);
    ImGui::SameLine(0, gap);
    command_button(
        ui, "measure.run",
        ui.tr()("measure.ticked", fmt::arg("count", ui.session.settings().measure.variants.size())),
        false, half);
}

struct SizesState {
    std::string sizes, sizes_shown;  // as being typed; as in force when that began
    std::string groups, groups_shown;
};

// Sizes, launch shapes, and what is computed.
void measure_fields(Ui& ui, session::MeasureChoice& choice) {
    SizesState& state = ui.state<SizesState>();
    row(ui, ui.tr()("field.sizes"), [&](float w) {
        if (state.sizes_shown != choice.sizes) state.sizes = state.sizes_shown = choice.sizes;
        ImGui::SetNextItemWidth(w);
        ImGui::InputText("###sizes", &state.sizes);
        if (ImGui::IsItemDeactivatedAfterEdit()) choice.sizes = state.sizes_shown = state.sizes;
        tip(ui, ui.tr()("field.sizes.tip"));
    });
    row(ui, ui.tr()("field.groups"), [&](float w) {
        if (state.groups_shown != choice.groups) state.groups = state.groups_shown = choice.groups;
        ImGui::SetNextItemWidth(w);
        ImGui::InputTextWithHint("###groups", ui.tr()("field.groups.none").c_str(), &state.groups);
        if (ImGui::IsItemDeactivatedAfterEdit()) choice.groups = state.groups_shown = state.groups;
        tip(ui, ui.tr()("field.groups.tip"));
    });
    row(ui, ui.tr()("field.shapes"), [&](float w) { launch_shapes(ui, choice, w); });
    row(ui, ui.tr()("field.op"), [&](float w) {
        const int now = combo(ui, "###mop", op_names(ui), static_cast<int>(choice.shape.op), w);
        if (now >= 0) choice.shape.op = catalogue::ops()[static_cast<std::size_t>(now)].op;
        tip(ui, ui.tr()("command.op.next.tip"));
    });
    row(ui, ui.tr()("field.type"), [&](float w) {
        const int now = combo(ui, "###mtype", type_names(), static_cast<int>(choice.shape.type), w);
        if (now >= 0) choice.shape.type = catalogue::types()[static_cast<std::size_t>(now)].type;
        tip(ui, ui.tr()("command.type.next.tip"));
    });
    row(ui, ui.tr()("field.repeat"), [&](float w) {
        runs(ui, choice, w);
        tip(ui, ui.tr()("field.repeat.tip"));
    });
    row(ui, ui.tr()("field.cache"), [&](float w) {
        const int now = combo(ui, "###cache", {ui.tr()("cache.cold"), ui.tr()("cache.warm")},
                              choice.warm ? 1 : 0, w);
        if (now >= 0) choice.warm = now == 1;
        tip(ui, ui.tr()("field.cache.tip"));
    });
    if (offers_devices(ui))
        row(ui, ui.tr()("field.device"), [&](float w) { measure_device(ui, choice, w); });
}

// Pixels that the buttons below the form take.
float buttons_height(const Ui& ui) {
    return 2 * (ImGui::GetFontSize() + ui.px(20) + ImGui::GetStyle().ItemSpacing.y);
}

}  // namespace

void measure_choices(Ui& ui, const Area& area) {
    begin_card(ui, "what", area.at, area.size);
    if (platform::kBrowser) {  // what was measured elsewhere can be shown
        wrapped(ui.tr()("measure.browser"), ImGui::GetContentRegionAvail().x);
        ImGui::Dummy({0, ui.px(8)});
        added_results(ui, ImGui::GetContentRegionAvail().x);
        return end_card();
    }
    session::MeasureChoice choice = ui.session.settings().measure;
    const float width = ImGui::GetContentRegionAvail().x;
    {
        const TextStyle style(ui, Face::bold, kTextSize + 1);
        ImGui::TextUnformatted(ui.tr()("measure.what").c_str());
    }
    // The form scrolls, so that the buttons are always there; the list in it, so that the fields
    // are, where there is room.
    ImGui::BeginChild("form", {width, ImGui::GetContentRegionAvail().y - buttons_height(ui)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(2)});  // more of the list
    const float inner = ImGui::GetContentRegionAvail().x;
    const float lines = offers_devices(ui) ? 8 : 7;
    const float below = lines * ImGui::GetFrameHeightWithSpacing() + added_height(ui) + ui.px(24);
    const float room =
        std::max(ImGui::GetContentRegionAvail().y - below, 4 * ImGui::GetFrameHeightWithSpacing());
    ImGui::BeginChild("list", {inner, room});
    variant_boxes(ui, choice);
    ImGui::EndChild();
    ImGui::Dummy({0, ui.px(8)});
    measure_fields(ui, choice);
    ui.change<session::MeasureView>().set(std::move(choice));
    added_results(ui, inner);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(10)});
    if (ui.view<session::MeasureView>().busy())
        measure_stop_button(ui, ui.view<session::MeasureView>().state().progress, width);
    else
        start_buttons(ui, width);
    ImGui::PopStyleVar();
    end_card();
}

}  // namespace lab::gui
