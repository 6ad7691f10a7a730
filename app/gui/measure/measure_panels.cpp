#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "catalogue/number.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/choice_fields.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void variant_boxes(Ui& ui, session::MeasureChoice& choice) {
    bool shown = !ImGui::IsWindowAppearing();  // the first that is chosen is in view at first
    for (const catalogue::Variant& variant : ui.session.catalogue().variants) {
        const auto position = std::find(choice.variants.begin(), choice.variants.end(), variant.id);
        bool on = position != choice.variants.end();
        const float room = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ui.px(8);
        const std::string title =
            ui.metrics.shortened(title_of(ui, variant), room / ui.scale, kTextSize, Face::sans);
        if (ImGui::Checkbox((title + "###" + variant.id).c_str(), &on)) {
            if (on)
                choice.variants.push_back(variant.id);
            else
                choice.variants.erase(position);
        }
        if (on && !shown) {
            ImGui::SetScrollHereY();
            shown = true;
        }
        tip(ui, ui.tr().get("variant." + variant.id + ".teaches", variant.teaches));
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

void measure_progress(Ui& ui, float width) {
    const session::MeasureState& measure = ui.view<session::MeasureView>().state();
    const float part = measure.total == 0
                           ? 0
                           : static_cast<float>(measure.done) / static_cast<float>(measure.total);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(point, {point.x + width, point.y + ui.px(8)}, ui.colour(Role::idle_fill),
                       ui.px(4));
    if (part > 0)
        into.AddRectFilled(point, {point.x + width * part, point.y + ui.px(8)},
                           ui.colour(Role::act), ui.px(4));
    ImGui::Dummy({width, ui.px(10)});
    std::string words = measure.total == 0
                            ? ui.tr()("measure.preparing")
                            : ui.tr()("measure.progress", fmt::arg("k", measure.done),
                                      fmt::arg("n", measure.total));
    if (measure.seconds_left >= 1)
        words += ", " + ui.tr()("measure.left",
                                fmt::arg("time", fmt::format("{:.0f} {}", measure.seconds_left,
                                                             ui.tr()("unit.s"))));
    label(ui, words);
}

constexpr float kHeadline = 30;

// The best row of the largest size, large: what this device makes of it.
// The fastest right result of the largest size; null before there is one.
const results::Row* best_row(const results::Measurements& results) {
    const results::Row* best = nullptr;
    for (const results::Row& row : results.rows)
        if (row.kind == "variant" && !row.wall_ms.empty() &&
            (best == nullptr ||
             std::tuple(row.n, row.ranked(), row.gigabytes_per_second()) >
                 std::tuple(best->n, best->ranked(), best->gigabytes_per_second())))
            best = &row;
    return best;
}

std::string what_of(const Ui& ui, const results::Row& row) {
    return fmt::format("{} · n = {}", title_of(ui, row), catalogue::size_text(row.n));
}

std::string time_of(const Ui& ui, const results::Row& row) {
    if (!row.right) return ui.tr()("measure.wrong");
    return fmt::format("{} {}   {} {}", catalogue::figure_text(row.device_median()),
                       ui.tr()("unit.ms"), catalogue::figure_text(row.gigabytes_per_second()),
                       ui.tr()("unit.gbs"));
}

void headline(Ui& ui, const results::Measurements& results) {
    const results::Row* best = best_row(results);
    if (best == nullptr) return;
    {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        ImGui::TextUnformatted(what_of(ui, *best).c_str());
    }
    const std::string words = time_of(ui, *best);
    const float room = ImGui::GetContentRegionAvail().x / ui.scale;
    const float part = room / ui.metrics.text_width(words, kHeadline, Face::bold);
    {
        const TextStyle style(ui, Face::bold, kHeadline * std::clamp(part, 0.5F, 1.0F),
                              best->right ? Role::text : Role::race);
        ImGui::TextUnformatted(words.c_str());
    }
    if (const std::string launched = launch_text(ui, *best); !launched.empty()) {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        wrapped(launched, ImGui::GetContentRegionAvail().x);
        tip(ui, ui.tr()("field.shapes.tip"));
    }
    const std::string linear = linear_text(ui, *best);
    if (linear.empty()) return;
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    wrapped(linear, ImGui::GetContentRegionAvail().x);
    tip(ui, parts_text(ui, *best));
}

// What was not measured.
void skipped(Ui& ui, const results::Measurements& results, float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    for (const std::string& line : results.notes)
        wrapped(line, width);
    std::string all;
    for (const std::string& line : results.skipped)
        all += line + "\n";
    if (!all.empty()) {
        wrapped(fmt::format("{}: {}", ui.tr()("measure.skipped"), results.skipped.size()), width);
        tip(ui, all);
    }
}

// What the documents measured elsewhere.
void documents(Ui& ui, const results::Measurements& results, float width) {
    if (!comparable_with_documents(results)) return;
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    std::string theirs;
    for (const results::DocumentFigure& figure : ui.view<session::MeasureView>().document_figures())
        for (const results::Row& row : results.rows)
            if (row.variant == figure.variant) {
                theirs += fmt::format("{}: {}, n = {}, {} {} ({})\n", figure.document,
                                      title_of(ui, row), catalogue::size_text(figure.n),
                                      catalogue::figure_text(figure.ms), ui.tr()("unit.ms"),
                                      ui.tr().get("hardware." + figure.hardware, figure.hardware));
                break;
            }
    if (theirs.empty()) return;
    wrapped(ui.tr()("measure.documents") + " …", width);
    tip(ui, theirs);
}

struct SizesState {
    std::string sizes, sizes_shown;  // as being typed; as in force when that began
    std::string groups, groups_shown;
};

}  // namespace

void measure_choices(Ui& ui, const Area& area) {
    SizesState& state = ui.state<SizesState>();
    begin_card(ui, "what", area.at, area.size);
    session::MeasureChoice choice = ui.session.settings().measure;
    const float width = ImGui::GetContentRegionAvail().x;
    {
        const TextStyle style(ui, Face::bold, kTextSize + 1);
        ImGui::TextUnformatted(ui.tr()("measure.what").c_str());
    }
    // The list scrolls, so that what follows is always there.
    const float device = offers_devices(ui) ? ImGui::GetFrameHeightWithSpacing() : 0;
    const float rest = ui.px(ui.view<session::MeasureView>().state().results.waiting ? 330 : 286) +
                       ImGui::GetFrameHeightWithSpacing() + added_height(ui) + device;
    const float most = static_cast<float>(ui.session.catalogue().variants.size()) *
                       ImGui::GetFrameHeightWithSpacing();
    const float room =
        std::max(ImGui::GetContentRegionAvail().y - rest, 3 * ImGui::GetFrameHeightWithSpacing());
    ImGui::BeginChild("list", {width, std::min(room, most)});
    variant_boxes(ui, choice);
    ImGui::EndChild();
    ImGui::Dummy({0, ui.px(8)});
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
    ui.change<session::MeasureView>().set(std::move(choice));
    added_results(ui, width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(10)});
    if (ui.view<session::MeasureView>().state().results.waiting) {
        command_button(ui, "cancel", ui.tr()("command.cancel"), false, width);
        measure_progress(ui, width);
    } else {
        command_button(ui, "measure.run", ui.tr()("command.measure.run"), true, width);
    }
    ImGui::PopStyleVar();
    end_card();
}

namespace {

constexpr float kLeastChart = 240;

void export_button(Ui& ui) {
    const std::string words = ui.tr()("command.export");
    const float width = ImGui::CalcTextSize(words.c_str()).x + ui.px(24);
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) {  // the menu and the key have it, too
        ImGui::NewLine();
        return;
    }
    ImGui::SetCursorPosX(line_end() - width);
    command_button(ui, "export", words, false, width);
}

// The chart above the table where there is room for both, else the chart alone; or the table with
// how it came about.
void figures(Ui& ui, std::span<const results::Measurements* const> all, float width) {
    chart_choice(ui);
    export_button(ui);
    if (shows_table_only(ui)) {
        {
            const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
            wrapped(ui.tr()("measure.how"), width);
        }
        documents(ui, *all.front(), width);
        ImGui::Dummy({0, ui.px(6)});
        measure_table(ui, all);
        return;
    }
    // A chart in less than this is none: the card scrolls instead.
    const float room = std::max(ImGui::GetContentRegionAvail().y, ui.px(kLeastChart));
    const bool both = room > ui.px(430);
    const float gap = ui.px(6);
    const float below = both ? std::clamp(room * 0.3F, ui.px(130), ui.px(280)) + gap : 0;
    measure_chart(ui, {width, room - below});
    if (!both) return;
    ImGui::Dummy({0, gap - ImGui::GetStyle().ItemSpacing.y});
    measure_table(ui, all);
}

}  // namespace

void present_measure(Ui& ui) {
    const session::MeasureState& state = ui.view<session::MeasureView>().state();
    if (session::shown_results(state).empty()) {
        const TextStyle style(ui, Face::sans, kTitleSize, Role::muted);
        return wrapped(ui.tr()("measure.empty"), ImGui::GetContentRegionAvail().x);
    }
    Presented presented;
    presented.title = ui.tr()("command.view.measure");
    if (const results::Row* best =
            state.results.answer ? best_row(*state.results.answer) : nullptr) {
        presented.sentence = what_of(ui, *best) + ":  " + time_of(ui, *best);
        presented.tone = tone_of(!best->right);
    }
    presented.picture = [&](ImVec2 room) { measure_chart(ui, room); };
    draw_presented(ui, presented);
}

void measure_results(Ui& ui, const Area& area) {
    begin_card(ui, "results", area.at, area.size);
    const session::Asked<results::Measurements>& results =
        ui.view<session::MeasureView>().state().results;
    const float width = ImGui::GetContentRegionAvail().x;
    if (results.problem) problem_card(ui, *results.problem, width);
    if (results.answer) {
        for (const Problem& problem : results.answer->problems)
            problem_card(ui, problem, width);
        headline(ui, *results.answer);
        {
            const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
            if (!results.answer->complete && !results.waiting)
                wrapped(ui.tr()("measure.incomplete"), width);
        }
        skipped(ui, *results.answer, width);
    }
    const std::vector<const results::Measurements*> shown =
        session::shown_results(ui.view<session::MeasureView>().state());
    if (!shown.empty()) {
        figures(ui, shown, width);
    } else {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        wrapped(ui.tr()(results.answer ? "measure.how" : "measure.empty"), width);
    }
    end_card();
}

}  // namespace lab::gui
