#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <tuple>

#include "catalogue/gain.h"
#include "catalogue/number.h"
#include "gui/devices/device_panels.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/choice_fields.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"
#include "results/device_team.h"
#include "session/devices/devices_view.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

// The device that is measured; null while it is not known, or if they are several.
const results::DeviceInfo* device_of(const Ui& ui, const session::MeasureChoice& choice) {
    if (results::names_several(choice.shape.device)) return nullptr;
    const session::DevicesView& view = ui.view<session::DevicesView>();
    if (!view.devices().answer) return nullptr;
    const auto& devices = view.devices().answer->devices;
    const auto found =
        std::find_if(devices.begin(), devices.end(),
                     [&](const results::DeviceInfo& device) { return device.id == view.in_use(); });
    return found == devices.end() ? nullptr : &*found;
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
                              .c_str())) {
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

// What is done and left, on the button that stops it, with a bar below.
void stop_button(Ui& ui, float width) {
    const session::MeasureState& measure = ui.view<session::MeasureView>().state();
    std::string words = measure.total == 0
                            ? ui.tr()("measure.preparing")
                            : ui.tr()("measure.progress", fmt::arg("k", measure.done),
                                      fmt::arg("n", measure.total));
    if (measure.seconds_left >= 1)
        words += ", " + ui.tr()("measure.left",
                                fmt::arg("time", fmt::format("{:.0f} {}", measure.seconds_left,
                                                             ui.tr()("unit.s"))));
    command_button(ui, "cancel", ui.tr()("measure.stop", fmt::arg("progress", words)), false,
                   width);
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
    if (!ui.session.settings().choice.user_kernel) return;
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    wrapped(ui.tr()("measure.no_header"), width);
}

constexpr float kHeadline = 30;

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
    return ui.tr()("measure.fastest", fmt::arg("title", title_of(ui, row)),
                   fmt::arg("n", catalogue::size_text(row.n)));
}

// "3.1 times as fast as “Step 2”; 98 % of what this memory can do": beside the step before it, else
// beside the slowest of its size, and beside the ceiling.
std::string compared(const Ui& ui, const results::Measurements& results, const results::Row& row) {
    if (!row.ranked()) return {};
    const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
    const catalogue::GainStep* step = find_step(steps, row.variant);
    const results::Row *other = nullptr, *ceiling = nullptr;
    for (const results::Row& each : results.rows) {
        if (each.n != row.n || !each.ranked() || each.wall_ms.empty()) continue;
        if (each.kind == "ceiling") ceiling = &each;
        if (each.kind != "variant" || each.variant == row.variant) continue;
        const bool before = step != nullptr && each.variant == step->gain.after;
        const bool slower =
            other == nullptr || (other->device_median() < each.device_median() &&
                                 (step == nullptr || other->variant != step->gain.after));
        if (before || slower) other = &each;
    }
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (other != nullptr && row.device_median() > 0)
        add(ui.tr()(
            "measure.times",
            fmt::arg("factor", fmt::format("{:.1f}", other->device_median() / row.device_median())),
            fmt::arg("other", title_of(ui, *other))));
    // What fits into a cache says nothing of the memory.
    const double bytes = row.gigabytes_per_second() * row.device_median() * 1e6;
    if (ceiling != nullptr && ceiling->gigabytes_per_second() > 0 &&
        bytes > static_cast<double>(results.device.cache_bytes))
        add(ui.tr()(
            "measure.of_ceiling",
            fmt::arg("percent", fmt::format("{:.0f}", 100 * row.gigabytes_per_second() /
                                                          ceiling->gigabytes_per_second()))));
    return text;
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
    if (const std::string beside = compared(ui, results, *best); !beside.empty()) {
        const TextStyle style(ui, Face::bold, kTextSize);
        wrapped(beside, ImGui::GetContentRegionAvail().x);
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

// The runs so far, a line each; the one that is shown can be changed.
void run_history(Ui& ui, float width) {
    const session::MeasureState& state = ui.view<session::MeasureView>().state();
    if (state.runs.size() < 2) return;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < state.runs.size(); ++i) {
        const results::Measurements& results =
            i == state.shown_run ? *state.results.answer : state.runs[i].results;
        std::vector<std::string> variants;
        for (const results::Row& row : results.rows)
            if (row.kind == "variant" &&
                std::find(variants.begin(), variants.end(), row.variant) == variants.end())
                variants.push_back(row.variant);
        char clock[16] = {};
        if (const std::tm* local = std::localtime(&state.runs[i].at))
            (void)std::strftime(clock, sizeof clock, "%H:%M:%S", local);
        std::string what = ui.tr()("measure.kernels", fmt::arg("count", variants.size()));
        for (const catalogue::Variant& variant : ui.session.catalogue().variants)
            if (variants.size() == 1 && variant.id == variants.front())
                what = title_of(ui, variant);
        lines.push_back(ui.tr()("measure.run_line", fmt::arg("time", clock), fmt::arg("what", what),
                                fmt::arg("rows", results.rows.size())));
    }
    ImGui::BeginDisabled(state.results.waiting);
    const int chosen = combo(ui, "###history", lines, static_cast<int>(state.shown_run),
                             std::min(width, ui.px(420)));
    ImGui::EndDisabled();
    tip(ui, ui.tr()("measure.history.tip"));
    if (chosen >= 0) ui.change<session::MeasureView>().show_run(static_cast<std::size_t>(chosen));
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
float buttons_height(const Ui& ui, float width) {
    float height = 2 * (ImGui::GetFontSize() + ui.px(20) + ImGui::GetStyle().ItemSpacing.y);
    if (ui.session.settings().choice.user_kernel) {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        height +=
            ImGui::CalcTextSize(ui.tr()("measure.no_header").c_str(), nullptr, false, width).y +
            ui.px(12);
    }
    return height;
}

}  // namespace

void measure_choices(Ui& ui, const Area& area) {
    begin_card(ui, "what", area.at, area.size);
    session::MeasureChoice choice = ui.session.settings().measure;
    const float width = ImGui::GetContentRegionAvail().x;
    {
        const TextStyle style(ui, Face::bold, kTextSize + 1);
        ImGui::TextUnformatted(ui.tr()("measure.what").c_str());
    }
    // The form scrolls, so that the buttons are always there; the list in it, so that the fields
    // are, where there is room.
    ImGui::BeginChild("form",
                      {width, ImGui::GetContentRegionAvail().y - buttons_height(ui, width)});
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
    ImGui::EndChild();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(10)});
    if (ui.view<session::MeasureView>().busy())
        stop_button(ui, width);
    else
        start_buttons(ui, width);
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
        run_history(ui, width);
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
