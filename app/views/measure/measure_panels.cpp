#include "views/measure/measure_panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include "base/paths.h"
#include "base/platform.h"
#include "base/ranges.h"
#include "catalogue/kernel.h"
#include "catalogue/number.h"
#include "figures/measure_charts.h"
#include "figures/painters/save.h"
#include "gui/choice_fields.h"
#include "gui/scene_painter.h"
#include "results/gains.h"
#include "results/request.h"
#include "session/kernels.h"

namespace lab::gui {

using session::MeasureChoice;
using session::MeasureState;
using session::MeasureView;
namespace {

// What does not fit is drawn smaller, as far as it stays readable, then scrolls.
float smallest(const Ui& ui) {
    return 0.75F / std::clamp(ui.session.settings().scale, 1.0F, 1.4F);
}

struct ChartState {
    CachedScene scene;
    float fit = 1;                                              // it is drawn as much smaller
    std::optional<Problem> problem;                             // instead of it
    std::optional<std::vector<results::Datasheet>> datasheets;  // once they are needed
};

// Returns the points that a picture's sentence takes above it.
float sentence_height(const Ui& ui, const figures::Scene& scene, float width) {
    const float lines =
        std::ceil(ui.metrics.text_width(scene.sentence, kTextSize, Face::bold) / width);
    return lines * 1.4F * kTextSize;
}

// Lays the chart out in a room of `size` points.
figures::Scene lay_out(const Ui& ui, const ChartContent& content, ChartState& state,
                       figures::Point size) {
    const MeasureView& view = ui.view<MeasureView>();
    const std::vector<results::Measurements> results = content.results();
    state.problem.reset();
    try {
        if (!state.datasheets) state.datasheets = results::datasheets();
        const std::vector<results::DocumentFigure> figures =
            without_defaults(view.document_figures, ui.session.catalogue());
        const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
        figures::MeasureChartOptions options;
        options.chart = content.chart;
        options.coloured = content.coloured;
        options.most_coloured = content.most_coloured;
        options.figures = figures;
        options.datasheets = *state.datasheets;
        options.steps = steps;
        float words = 0;
        const auto drawn_smaller = [&](float fit) {
            state.fit = fit;
            // Small text on screen is hinted, and so up to a fiftieth wider than its outlines.
            const float width = size.x / fit * (fit < 1 ? 0.98F : 1.0F);
            options.size = {width, (size.y - words) / fit, ui.palette.text_scale, false};
            return figures::measure_chart(results, options, ui.metrics, ui.tr());
        };
        // Smaller, bars may find room for a second column.
        const float least = smallest(ui);
        for (float fit = 1;; fit = std::max(fit - 0.08F, least)) {
            figures::Scene scene = drawn_smaller(fit);
            if (words == 0 && !scene.sentence.empty()) {
                words = sentence_height(ui, scene, size.x);
                scene = drawn_smaller(fit);
            }
            if (fit <= least || scene.height * fit <= size.y - words) return scene;
        }
    } catch (const Problem& problem) {
        state.problem = problem;
        return {};
    }
}

const figures::Scene& chart(const Ui& ui, const ChartContent& content, figures::Point size) {
    ChartState& state = ui.state<ChartState>();
    const std::string key =
        fmt::format("{} {} {} {} {} {}", content.key, content.chart, size.x, size.y,
                    fmt::join(content.coloured, ","), content.most_coloured);
    return state.scene.get(ui, key, [&] { return lay_out(ui, content, state, size); });
}

void why_not(const Ui& ui, const ChartContent& content, const Problem& given, float width) {
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    if (content.chart == "groups") return wrapped(ui.tr()("measure.no_groups"), width);
    const Problem problem = translated(given, ui.tr());
    wrapped(as_sentence(ui, problem.what_happened) + ui.tr()("figure.space") +
                as_sentence(ui, problem.why),
            width);
}

// "2.7× on a GPU; 1× on a CPU"
std::string predicted_list(const Ui& ui, const catalogue::Gain& gain) {
    struct Kind {
        const char *id, *key;
    };
    std::string list;
    for (const Kind& kind : {Kind{"gpu", "gain.on_gpu"}, Kind{"cpu", "gain.on_cpu"}}) {
        const auto found = gain.predicted.find(kind.id);
        if (found == gain.predicted.end()) continue;
        if (!list.empty()) list += ui.tr()("gain.between");
        list += ui.tr()(kind.key, arg("factor", fmt::format("{:g}×", found->second)));
    }
    return list;
}

// For each device at its largest n that has both.
std::string measured_list(const Ui& ui, const catalogue::GainStep& step,
                          const std::vector<catalogue::GainStep>& steps) {
    std::string list;
    for (const results::Measurements* results :
         session::shown_results(ui.view<MeasureView>().state())) {
        std::vector<const results::Row*> rows;
        std::uint64_t n = 0;
        for (const results::Row& row : results->rows)
            if (row.variant == step.id || row.variant == step.gain.after) rows.push_back(&row);
        const auto sizes = gains_by_size(rows, {&step, 1});
        if (sizes.empty()) continue;
        n = sizes.rbegin()->first;
        if (!list.empty()) list += ui.tr()("gain.between");
        list += ui.tr()(
            "gain.on_device",
            arg("factor", figures::factor_text(measured_gain(rows, steps, step, n).factor)),
            arg("device", figures::device_text(*results)), arg("n", catalogue::size_text(n)));
    }
    return list;
}

// The results of other machines that are drawn with this one's, and how to get more of them.

void entry(Ui& ui, std::size_t i, float width) {
    const session::AddedResults& added = ui.view<MeasureView>().state().added[i];
    const bool fits = session::is_comparable(ui.view<MeasureView>().state(), added);
    const std::string name = session::name_of(added);
    const float top = ImGui::GetCursorPosY();
    fitted_line(ui, (fits ? "" : "! ") + name, width - ui.px(30), Face::sans, kSmallSize,
                fits ? Role::text : Role::muted);
    const std::string about =
        ui.tr()("added.about", arg("rows", added.results.rows.size()), arg("op", added.results.op),
                arg("type", added.results.type), arg("started", added.results.started));
    tip(ui, name + "\n" + about + "\n" + added.file.string() +
                (fits ? "" : "\n" + ui.tr()("added.other_work")));
    const float next = top + ui.px(kTouch);
    ImGui::PushID(static_cast<int>(i));
    const bool removed = close_button(ui, "remove", width - ui.px(2), top - ui.px(4));
    tip(ui, ui.tr()("added.remove.tip"));
    ImGui::PopID();
    ImGui::SetCursorPosY(next);
    if (removed) ui.change<MeasureView>().remove(i);
}

float added_height(const Ui& ui) {
    const auto count =
        static_cast<float>(std::min<std::size_t>(ui.view<MeasureView>().state().added.size(), 4));
    return ui.px(42) + count * ui.px(kTouch);
}

void added_results(Ui& ui, float width) {
    const float height = added_height(ui);
    const Scope child = begin_child("added", {width, height});
    const float inner = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), touch_padding(ui)});
    ImGui::AlignTextToFramePadding();
    const std::string words = ui.tr()("added.add");
    const float left = inner - words_width(words) - ui.px(20);
    const bool none = ui.view<MeasureView>().state().added.empty();
    label(ui, ui.metrics.shortened(ui.tr()(none ? "added.none" : "added.title"),
                                   left / ui.scale - 6, kSmallSize, Face::sans));
    tip(ui, ui.tr()("added.tip"));
    ImGui::SameLine();
    ImGui::SetCursorPosX(left);
    const bool pressed = ImGui::Button((words + "###add").c_str());
    ImGui::PopStyleVar();
    if (pressed) ui.run("open");
    tip(ui, ui.tr()("added.tip"), ui.session.command("open").key);
    for (std::size_t i = 0; i < ui.view<MeasureView>().state().added.size(); ++i)
        entry(ui, i, inner);
    ImGui::Dummy({1, 1});
}

constexpr const char* kTable = "table";

// What the settings ask for, if there is such a chart.
std::string shown_in(const Ui& ui) {
    const std::string& asked = ui.session.settings().measure.shown;
    for (const figures::MeasureChart& chart : figures::measure_charts())
        if (asked == chart.id) return asked;
    return asked == kTable ? asked : figures::measure_charts().front().id;
}

// The charts and the table to choose from, as pills.
void chart_choice(Ui& ui) {
    const std::string shown = shown_in(ui);
    const auto choose = [&](const std::string& id, const std::string& words) {
        const bool first = id == figures::measure_charts().front().id;
        const float wide = words_width(words) + ui.px(26);
        if (!first) ImGui::SameLine(0, ui.px(2));
        if (!first && ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        if (pill(ui, ("shown." + id).c_str(), words, shown == id)) {
            MeasureChoice choice = ui.session.settings().measure;
            choice.shown = id;
            ui.change<MeasureView>().set(std::move(choice));
        }
    };
    for (const figures::MeasureChart& chart : figures::measure_charts())
        choose(chart.id, ui.tr()(std::string("chart.") + chart.id + ".short"));
    choose(kTable, ui.tr()("chart.table.short"));
}

// The kernels with rows in what is shown, in their order.
std::vector<std::pair<std::string, std::string>> measured_kernels(const Ui& ui) {
    std::vector<std::pair<std::string, std::string>> kernels;  // ids and titles
    for (const results::Measurements* results :
         session::shown_results(ui.view<MeasureView>().state()))
        for (const results::Row& row : results->rows)
            if (row.kind != "ceiling" &&
                none_of(kernels, [&](const auto& each) { return each.first == row.variant; }))
                kernels.emplace_back(row.variant,
                                     ui.tr().get("variant." + row.variant + ".title", row.title));
    return kernels;
}

// Those that are ticked, else the one that is chosen, as far as they were measured.
std::vector<std::string> mine_of(const Ui& ui) {
    const auto kernels = measured_kernels(ui);
    std::vector<std::string> mine = ui.session.settings().measure.variants;
    mine.push_back(ui.choice().variant);
    std::erase_if(mine, [&](const std::string& id) {
        return none_of(kernels, [&](const auto& each) { return each.first == id; });
    });
    return mine;
}

void measure_chart(Ui& ui, ImVec2 size) {
    const MeasureView& view = ui.view<MeasureView>();
    const MeasureState& measure = view.state();
    ChartContent content{shown_in(ui),
                         fmt::format("{} {}", measure.version, measure.results.waiting),
                         [&] { return session::results_to_draw(measure); }};
    if (!view.against.empty()) {
        content.coloured = mine_of(ui);
        content.coloured.resize(std::min<std::size_t>(content.coloured.size(), 1));
        content.coloured.push_back(view.against);
        content.most_coloured = content.coloured.size() * session::shown_results(measure).size();
    }
    chart_figure(ui, content, size);
}

// Mine against one other, or the fastest ones in colours.
void against_choice(Ui& ui) {
    const auto kernels = measured_kernels(ui);
    const std::string shown = shown_in(ui);
    if (kernels.size() < 3 || (shown != "time" && shown != "bandwidth" && shown != "error")) return;
    std::vector<std::string> words{ui.tr()("measure.fastest_ones")};
    std::size_t now = 0;
    for (const auto& [id, title] : kernels) {
        if (id == ui.view<MeasureView>().against) now = words.size();
        words.push_back(ui.tr()("measure.against", arg("other", title)));
    }
    const float width = ui.px(210);
    ImGui::SameLine(0, ui.px(10));
    if (ImGui::GetContentRegionAvail().x < width + ui.px(90)) ImGui::NewLine();
    const auto chosen = combo(ui, "###against", words, now, width);
    tip(ui, ui.tr()("measure.against.tip"));
    if (chosen) ui.change<MeasureView>().against = *chosen == 0 ? "" : kernels[*chosen - 1].first;
}

// What the measure view times on, where there are several devices; and how close all of them
// together come to linear.

const std::vector<results::DeviceInfo>& devices_of(const Ui& ui) {
    static const std::vector<results::DeviceInfo> none;
    const session::FoundDevices& asked = ui.session.devices;
    return asked.answer ? asked.answer->devices : none;
}

std::string percent(double part) {
    return fmt::format("{:.1f}", part * 100);
}

std::string ms_text(const Ui& ui, const std::vector<double>& samples) {
    return fmt::format("{} {}", catalogue::figure_text(results::median(samples)),
                       ui.tr()("unit.ms"));
}

bool offers_devices(const Ui& ui) {
    return devices_of(ui).size() > 1;
}

// On which device, or all; offered where there are several.
void measure_device(Ui& ui, MeasureChoice& choice, float width) {
    const std::vector<results::DeviceInfo>& devices = devices_of(ui);
    std::vector<std::string> words;
    std::size_t now = devices.size() + 1;
    for (const results::DeviceInfo& device : devices) {
        if (device.id == device_in_use(ui.session)) now = words.size();
        words.push_back(fmt::format("{}  {}", device.id, device.name));
    }
    words.push_back(ui.tr()("measure.all_devices", arg("count", devices.size())));
    if (results::names_several(choice.shape.device)) now = devices.size();
    const auto chosen = combo(ui, "###mdevice", words, now, width);
    if (!chosen) return;
    choice.shape.device = *chosen == devices.size() ? results::kAllDevices : "";
    if (!choice.shape.device.empty()) return;
    session::RunChoice one = ui.choice();
    one.shape.device = devices[*chosen].id;
    if (one.shape.device != device_in_use(ui.session)) ui.change().choose(std::move(one));
}

std::string title_of(const Ui& ui, const results::Row& row) {
    return ui.tr().get("variant." + row.variant + ".title", row.title);
}

// Of a row over several devices: how close to linear they come.
std::string linear_text(const Ui& ui, const results::Row& row) {
    const auto device = row.device_efficiency(), wall = row.wall_efficiency();
    if (row.parts.size() < 2 || !device || !wall) return {};
    return ui.tr()("measure.linear", arg("count", row.parts.size()),
                   arg("percent", percent(*device)), arg("wall", percent(*wall)));
}

// And what each of them did.
std::string parts_text(const Ui& ui, const results::Row& row) {
    std::string text = linear_text(ui, row);
    if (text.empty()) return {};
    text += "\n" + ui.tr()("measure.linear.why");
    for (const results::RowPart& part : row.parts)
        text +=
            "\n" +
            ui.tr()("measure.part", arg("device", part.device), arg("name", part.name),
                    arg("n", catalogue::size_text(part.n)), arg("ms", ms_text(ui, part.device_ms)),
                    arg("alone", ms_text(ui, part.alone_device_ms))) +
            "  " + catalogue::settings_text(part.chosen);
    return text;
}

// A click ticks all of the chapter, or none if all are.
void chapter_heading(Ui& ui, const std::string& chapter, MeasureChoice& choice) {
    std::vector<std::string> ids;
    for (const catalogue::Kernel& variant : ui.session.catalogue().variants)
        if (variant.chapter == chapter) ids.push_back(variant.id);
    const bool all =
        all_of(ids, [&](const std::string& id) { return contains(choice.variants, id); });
    const std::string name = fmt::format(
        "{} · {}", chapter, ui.tr().get("chapter." + chapter, ui.tr()("chapter.opened")));
    const TextStyle style(ui, Face::bold, kSmallSize, Role::muted);
    if (ImGui::Selectable((ui.metrics.shortened(name, ImGui::GetContentRegionAvail().x / ui.scale,
                                                kSmallSize, Face::bold) +
                           "###chapter." + chapter)
                              .c_str(),
                          false, 0, {0, touch_row(ui, name)})) {
        std::erase_if(choice.variants, [&](const std::string& id) { return contains(ids, id); });
        if (!all) choice.variants.insert(choice.variants.end(), ids.begin(), ids.end());
    }
    tip(ui, ui.tr()("measure.chapter.tip"));
}

void variant_box(Ui& ui, const catalogue::Kernel& variant, const std::string& obstacle,
                 MeasureChoice& choice) {
    bool on = contains(choice.variants, variant.id);
    const float room = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ui.px(8);
    const std::string title =
        ui.metrics.shortened(title_of(ui, variant), room / ui.scale, kTextSize, Face::sans);
    const TextStyle style(ui, Face::sans, kTextSize, obstacle.empty() ? Role::text : Role::muted);
    if (ImGui::Checkbox((title + "###" + variant.id).c_str(), &on)) {
        std::erase(choice.variants, variant.id);
        if (on) choice.variants.push_back(variant.id);
    }
    tip(ui, ui.tr().get("variant." + variant.id + ".teaches", variant.teaches));
    if (obstacle.empty()) return;
    const TextStyle small(ui, Face::sans, kSmallSize, Role::muted);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetFrameHeight() + ui.px(8));
    wrapped(obstacle, room);
}

void variant_boxes(Ui& ui, MeasureChoice& choice) {
    bool shown = !ImGui::IsWindowAppearing();  // the first that is chosen is in view at first
    std::string chapter;
    // Null while it is not known, or if they are several.
    const results::DeviceInfo* device =
        results::names_several(choice.shape.device) ? nullptr : info_in_use(ui.session);
    for (const catalogue::Kernel& variant : ui.session.catalogue().variants) {
        if (variant.chapter != chapter) {
            if (!chapter.empty()) ImGui::Dummy({0, ui.px(4)});
            chapter = variant.chapter;
            chapter_heading(ui, chapter, choice);
        }
        const std::string why =
            device == nullptr ? "" : obstacle_text(ui, *device, variant, choice.shape.type);
        variant_box(ui, variant, why, choice);
        if (!shown && contains(choice.variants, variant.id)) {
            ImGui::SetScrollHereY();
            shown = true;
        }
    }
}

// How a row's runs end: by their number, or by how precise their median is.
struct Runs {
    int repeat;
    double precision, limit_s;
    bool operator==(const Runs&) const = default;
};
constexpr std::array kRuns{Runs{3, 0, 0},      Runs{10, 0, 0},     Runs{30, 0, 0},
                           Runs{100, 0, 0},    Runs{1000, 0, 0},   Runs{0, 0.05, 0.5},
                           Runs{0, 0.01, 0.5}, Runs{0, 0.005, 15}, Runs{0, 0.001, 60}};

std::string runs_words(const Ui& ui, const Runs& runs) {
    if (runs.repeat > 0) return fmt::format("{}", runs.repeat);
    return ui.tr()("runs.precise", arg("percent", fmt::format("{:.3g}", runs.precision * 100)),
                   arg("limit", fmt::format("{:.3g}", runs.limit_s)));
}

void runs(const Ui& ui, MeasureChoice& choice, float width) {
    Runs of{choice.repeat, 0, 0};
    if (choice.repeat == 0) of = {0, choice.precision, choice.limit_s};
    if (!value_combo(ui, "###runs", std::vector(kRuns.begin(), kRuns.end()), of, width,
                     [&](const Runs& each) { return runs_words(ui, each); }))
        return;
    choice.repeat = of.repeat;
    if (of.repeat > 0) return;
    choice.precision = of.precision;
    choice.limit_s = of.limit_s;
}

// Where a group and toggles come from that nobody asked for.
void launch_shapes(const Ui& ui, MeasureChoice& choice, float width) {
    using Shapes = results::LaunchShapes;
    ImGui::BeginDisabled(!choice.groups.empty());
    value_combo(ui, "###shapes", {Shapes::table, Shapes::kept, Shapes::search}, choice.shapes,
                width,
                [&](Shapes each) { return ui.tr()(fmt::format("shapes.{}", name_of(each))); });
    ImGui::EndDisabled();
}

// A line of the form: the words of `key`, and a control with a tip.
template <typename Draw>
void row(const Ui& ui, const char* key, const char* tip_key, Draw&& draw) {
    ImGui::AlignTextToFramePadding();
    label(ui, ui.tr()(key));
    ImGui::SameLine(ui.px(112));
    draw(ImGui::GetContentRegionAvail().x);
    tip(ui, ui.tr()(tip_key));
}

// "about 40 s", "about 3 min"; empty where it is not known.
std::string time_for(const Ui& ui, const std::vector<std::string>& variants) {
    const std::optional<double> seconds = ui.view<MeasureView>().seconds_for(variants);
    if (!seconds || variants.empty()) return {};
    constexpr double kMinute = 60, kTens = 10;
    const bool minutes = *seconds > 2 * kMinute;
    const double count = minutes            ? *seconds / kMinute
                         : *seconds > kTens ? std::ceil(*seconds / kTens) * kTens
                                            : std::ceil(*seconds);
    return ui.tr()(minutes ? "measure.about_min" : "measure.about_s",
                   arg("count", fmt::format("{:.0f}", count)));
}

// How long what the buttons start takes.
std::string estimates(const Ui& ui) {
    const std::string ladder = time_for(ui, in_order(gain_steps(ui.session.catalogue())));
    const std::string ticked = time_for(ui, ui.session.settings().measure.variants);
    if (ladder.empty()) return {};
    return ui.tr()("measure.estimate", arg("ladder", ladder),
                   arg("ticked", ticked.empty() ? "–" : ticked));
}

// What starts a measurement: the whole ladder, what is chosen, what is ticked.
void start_buttons(Ui& ui, float width) {
    command_button(ui, "measure.ladder", ui.tr()("command.measure.ladder"), true, width);
    const float gap = ui.px(6), half = (width - gap) / 2;
    command_button(ui, "measure.chosen", ui.tr()("measure.chosen"), false, half);
    ImGui::SameLine(0, gap);
    command_button(
        ui, "measure.run",
        ui.tr()("measure.ticked", arg("count", ui.session.settings().measure.variants.size())),
        false, half);
    wrapped_label(ui, estimates(ui), width);
}

// Sizes, launch shapes, and what is computed.
void measure_fields(Ui& ui, MeasureChoice& choice) {
    row(ui, "field.sizes", "field.sizes.tip", [&](float w) {
        choice.sizes = typed(ui, "sizes", choice.sizes, w).value_or(choice.sizes);
    });
    row(ui, "field.groups", "field.groups.tip", [&](float w) {
        choice.groups = typed(ui, "groups", choice.groups, w, ui.tr()("field.groups.none"))
                            .value_or(choice.groups);
    });
    row(ui, "field.shapes", choice.groups.empty() ? "field.shapes.tip" : "field.shapes.groups",
        [&](float w) { launch_shapes(ui, choice, w); });
    row(ui, "field.op", "command.op.next.tip", [&](float w) {
        value_combo(ui, "###mop", mapped<catalogue::Op>(catalogue::ops(), &catalogue::OpInfo::op),
                    choice.shape.op, w, [&](auto op) { return op_name(ui, op); });
    });
    row(ui, "field.type", "command.type.next.tip", [&](float w) {
        value_combo(ui, "###mtype",
                    mapped<catalogue::Type>(catalogue::types(), &catalogue::TypeInfo::type),
                    choice.shape.type, w, type_name);
    });
    row(ui, "field.repeat", "field.repeat.tip", [&](float w) { runs(ui, choice, w); });
    row(ui, "field.cache", "field.cache.tip", [&](float w) {
        value_combo(ui, "###cache", {false, true}, choice.warm, w,
                    [&](bool warm) { return ui.tr()(warm ? "cache.warm" : "cache.cold"); });
    });
    if (offers_devices(ui))
        row(ui, "field.device", "field.device.tip",
            [&](float w) { measure_device(ui, choice, w); });
}

// Pixels that the buttons below the form take.
float start_buttons_height(const Ui& ui, float width) {
    const float buttons = 2 * (ImGui::GetFontSize() + ui.px(20) + ImGui::GetStyle().ItemSpacing.y);
    const TextStyle small(ui, Face::sans, kSmallSize);
    return buttons + ui.px(6) + ImGui::CalcTextSize(estimates(ui).c_str(), nullptr, false, width).y;
}

void bar(const Ui& ui, float part, bool right) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeight();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    Pen(ui).fill({point.x, point.y + height * 0.2F},
                 {point.x + std::max(width * std::clamp(part, 0.0F, 1.0F), ui.px(2)),
                  point.y + height * 0.8F},
                 right ? Role::act : Role::race, ui.px(3));
    ImGui::Dummy({width, height});
}

void right_aligned(const std::string& text) {
    const float x = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - words_width(text);
    ImGui::SetCursorPosX(x);
    ImGui::TextUnformatted(text.c_str());
}

// The launch shape that was chosen for it, and where from; empty where the header knows none.
std::string launch_text(const Ui& ui, const results::Row& row) {
    if (row.chosen_by.empty() || !row.parts.empty()) return {};  // parts have each their own
    std::string shape;
    for (const auto& [name, value] : row.chosen)
        if (name != "group") shape += fmt::format("  {}={}", name, value);
    shape = ui.tr()("chart.group", arg("group", row.group)) + shape;
    return ui.tr()("measure.launched." + row.chosen_by, arg("shape", shape));
}

// What a narrow table leaves out.
struct TableShape {
    bool bars = true, wall = true, words = true;  // words: beside the tick of a right row
    bool groups = false;                          // whether rows are distinguished by them
    bool devices = false;                         // likewise
    bool causes = false;
    int columns() const { return 5 + (bars ? 1 : 0) + (wall ? 1 : 0) + (causes ? 1 : 0); }
};

// What the simulator counts where time goes: "81 % idle, 4.0× sectors"; empty where nothing is
// lost.
std::string cause_of(const Ui& ui, const analysis::RunCosts& costs) {
    constexpr double kLittle = 1.05;
    std::string words;
    const auto add = [&](const char* key, const std::string& figure) {
        words +=
            (words.empty() ? "" : ui.tr()("figure.comma")) + ui.tr()(key, arg("count", figure));
    };
    const auto times = [&](const char* key, std::uint64_t taken, std::uint64_t least) {
        const double part =
            least == 0 ? 1 : static_cast<double>(taken) / static_cast<double>(least);
        if (part > kLittle) add(key, fmt::format("{:.1f}", part));
    };
    const double idle = costs.offered == 0 ? 0
                                           : 100 * static_cast<double>(costs.idle) /
                                                 static_cast<double>(costs.offered);
    if (idle >= 1) add("measure.cause_idle", fmt::format("{:.0f}", idle));
    times("measure.cause_sectors", costs.sectors, costs.least_sectors);
    times("measure.cause_banks", costs.bank_cycles, costs.least_bank_cycles);
    if (costs.barriers > 0) add("measure.cause_barriers", std::to_string(costs.barriers));
    return words;
}

// A click leads to the kernel's steps.
void cause_cell(Ui& ui, const results::Row& row) {
    ImGui::TableNextColumn();
    const analysis::RunCosts* costs = ui.view<MeasureView>().costs_of(row);
    if (row.kind != "variant" || costs == nullptr) return;
    const std::string words = cause_of(ui, *costs);
    if (words.empty()) return;
    const std::string line =
        costs->line == 0 ? "" : ui.tr()("state.line", arg("line", costs->line)) + " · ";
    const TextStyle style(ui, Face::sans, kSmallSize, Role::act);
    const std::string fitting = ui.metrics.shortened(
        line + words, ImGui::GetContentRegionAvail().x / ui.scale, kSmallSize, Face::sans);
    ImGui::PushID(&row);
    if (ImGui::Selectable((fitting + "###cause").c_str())) {
        choose_kernel(ui.change(), row.variant);
        ui.run("view.step");
    }
    ImGui::PopID();
    tip(ui, line + words + "\n" + ui.tr()("measure.cause.tip"));
}

// The greatest bandwidth of each size on a device, which its bars are parts of.
std::map<std::uint64_t, double> best_by_size(const results::Measurements& results) {
    std::map<std::uint64_t, double> best;
    for (const results::Row& row : results.rows)
        if (row.ranked() || row.expect == "unknown")
            best[row.n] = std::max(best[row.n], row.gigabytes_per_second());
    return best;
}

// A tick is for what is known to be right.
const char* sign_of(const results::Row& row) {
    return !row.right ? "✗" : row.expect == "unknown" ? "–" : row.expect == "races" ? "!" : "✓";
}

// Says what is known of the result of a kernel whose right result is not known; and, in a tip, what
// its GB/s are of.
std::string unknown_text(const Ui& ui, const results::Row& row) {
    return ui.tr()(row.expected.empty()         ? "measure.unknown"
                   : row.expected == row.result ? "measure.unknown.same"
                                                : "measure.unknown.differs");
}

std::string unknown_tip(const Ui& ui, const results::Row& row) {
    std::string text =
        unknown_text(ui, row) + "\n" +
        ui.tr()("measure.unknown.why", arg("bytes", catalogue::bytes_text(row.bytes)));
    if (!row.result.empty())
        text += "\n" + ui.tr()("measure.unknown.device", arg("values", row.result));
    if (row.expected != row.result && !row.expected.empty())
        text += "\n" + ui.tr()("measure.unknown.simulator", arg("values", row.expected));
    return text;
}

std::string verdict_of(const Ui& ui, const results::Row& row) {
    if (!row.right)
        return ui.tr()(row.expect == "races" ? "measure.races_wrong" : "measure.wrong_for",
                       arg("got", row.result), arg("want", row.expected));
    if (row.expect == "unknown") return unknown_text(ui, row);
    if (row.expect == "partial") return "✓ " + ui.tr()("measure.partial");
    if (row.expect == "races") return "! " + ui.tr()("measure.races");
    return ui.tr()(row.exact.empty() ? "measure.right" : "measure.right_wrapped");
}

// Of a right float, how far it may be from the exact value, and is; of an integer that wrapped, the
// exact value.
std::string nearness_of(const Ui& ui, const results::Row& row) {
    if (row.right && !row.exact.empty())
        return "\n" + ui.tr()("measure.wrapped", arg("exact", row.exact));
    if (!row.right || row.bound <= 0) return {};
    return "\n" + ui.tr()("measure.within", arg("error", fmt::format("{:.1e}", row.error)),
                          arg("bound", fmt::format("{:.1e}", row.bound)));
}

void table_row(Ui& ui, const results::Row& row, const std::string& device, double best,
               const TableShape& shape) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        std::string title = title_of(ui, row);
        for (const auto& [name, value] : row.set)
            title += fmt::format(" {}={}", name, value);
        if (shape.groups && row.kind == "variant")
            title += " · " + ui.tr()("chart.group", arg("group", row.group));
        if (shape.devices) title += " · " + device;
        if (row.cache == "warm") title += " · " + ui.tr()("measure.warm");
        std::string more = launch_text(ui, row);
        if (const std::string parts = parts_text(ui, row); !parts.empty())
            more += (more.empty() ? "" : "\n") + parts;
        fitted_line(ui, title, ImGui::GetContentRegionAvail().x, Face::sans);
        tip(ui, more.empty() ? title : title + "\n" + more);
    }
    const TextStyle style(ui, Face::mono, kTextSize);
    const auto cell = [](const std::string& text) {
        ImGui::TableNextColumn();
        right_aligned(text);
    };
    cell(catalogue::size_text(row.n));
    cell(catalogue::figure_text(row.device_median()));
    if (shape.wall) {
        cell(catalogue::figure_text(row.wall_median()));
        if (row.device_median() > row.wall_median()) tip(ui, ui.tr()("column.wall.less"));
    }
    cell(catalogue::figure_text(row.gigabytes_per_second()));
    if (shape.bars) {
        ImGui::TableNextColumn();
        bar(ui, best > 0 ? static_cast<float>(row.gigabytes_per_second() / best) : 0, row.right);
        tip(ui, ui.tr()("column.bar.tip", arg("n", catalogue::size_text(row.n))));
    }
    if (shape.causes) cause_cell(ui, row);
    ImGui::TableNextColumn();
    const TextStyle verdict(ui, Face::sans, kTextSize,
                            !row.right                ? Role::race
                            : row.expect == "unknown" ? Role::muted
                            : row.expect == "races"   ? Role::barrier_text
                                                      : Role::wrote);
    const std::string words = verdict_of(ui, row);
    const std::string fitting = ui.metrics.shortened(
        words, ImGui::GetContentRegionAvail().x / ui.scale, kTextSize, Face::sans);
    ImGui::TextUnformatted(shape.words ? fitting.c_str() : sign_of(row));
    tip(ui, row.expect == "unknown" ? unknown_tip(ui, row) : words + nearness_of(ui, row));
}

// Whether a variant has rows of several group sizes at one n.
bool by_group(const results::Measurements* results) {
    std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint64_t> first;
    return any_of(results->rows, [&](const results::Row& row) {
        const auto key = std::tuple(row.variant, catalogue::settings_text(row.set), row.n);
        return first.try_emplace(key, row.group).first->second != row.group;
    });
}

// All rows of them, the device named where there are several.
void measure_table(Ui& ui, std::span<const results::Measurements* const> all) {
    const float room = ImGui::GetContentRegionAvail().x / ui.scale;
    const bool groups = any_of(all, by_group);  // longer names
    const bool devices = all.size() > 1;
    const bool names = groups || devices;
    const TableShape shape{room > (names ? 980 : 780), room > 700, room > 560, groups, devices,
                           room > (names ? 1050 : 880)};
    const float tight = shape.words ? 1 : 0.72F;
    const float verdicts = std::clamp(room * 0.19F, 130.0F, 210.0F);
    if (!ImGui::BeginTable("rows", shape.columns(),
                           ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY |
                               ImGuiTableFlags_PadOuterX | ImGuiTableFlags_NoSavedSettings))
        return;
    struct Column {
        std::string_view key;
        float points;
    };
    std::vector<Column> columns{
        Column{"column.variant", 0},    Column{"column.n", 70},
        Column{"column.device", 90},    Column{"column.wall", 90},
        Column{"column.bandwidth", 70}, Column{"", shape.causes ? 70.0F : 0.0F},
        Column{"column.cause", 190},    Column{"column.checked", shape.words ? verdicts : 30.0F}};
    std::erase_if(columns, [&](const Column& column) {
        return (column.key.empty() && !shape.bars) ||
               (column.key == "column.wall" && !shape.wall) ||
               (column.key == "column.cause" && !shape.causes);
    });
    for (const Column& column : columns)
        ImGui::TableSetupColumn(column.key.data(),
                                column.points > 0 ? ImGuiTableColumnFlags_WidthFixed
                                                  : ImGuiTableColumnFlags_WidthStretch,
                                column.points > 0     ? ui.px(column.points * tight)
                                : !column.key.empty() ? 1.6F
                                                      : 1.0F);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow();
    for (const Column& column : columns) {
        ImGui::TableNextColumn();
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        const bool number =
            column.points > 0 && column.key != "column.checked" && column.key != "column.cause";
        const bool no_room = !shape.words && column.key == "column.checked";
        const std::string words = column.key.empty() || no_room ? "" : ui.tr()(column.key);
        if (number)
            right_aligned(words);
        else
            ImGui::TextUnformatted(words.c_str());
        if (column.key == "column.wall") tip(ui, ui.tr()("column.wall.tip"));
        if (column.key == "column.cause") tip(ui, ui.tr()("measure.cause.tip"));
    }
    for (const results::Measurements* results : all) {
        const std::map<std::uint64_t, double> best = best_by_size(*results);
        for (const results::Row& row : results->rows) {
            const auto found = best.find(row.n);
            table_row(ui, row, results->device.name, found == best.end() ? 0 : found->second,
                      shape);
        }
    }
    ImGui::EndTable();
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

// "Fastest of 3 kernels at n = 1 Mi: …"; of one alone nothing is the fastest.
std::string what_of(const Ui& ui, const results::Measurements& results, const results::Row& row) {
    std::set<std::string> kernels;
    for (const results::Row& each : results.rows)
        if (each.kind == "variant" && each.n == row.n && each.ranked())
            kernels.insert(each.variant);
    return ui.tr()(row.expect == "unknown"              ? "measure.own"
                   : row.ranked() && kernels.size() > 1 ? "measure.fastest"
                                                        : "measure.one",
                   arg("device", figures::device_text(results)), arg("title", title_of(ui, row)),
                   arg("count", kernels.size()), arg("n", catalogue::size_text(row.n)));
}

// "On X at n = 1 Mi: the least relative error is …", of all kernels of the largest size.
std::string error_sentence(const Ui& ui, const results::Measurements& results, std::uint64_t n) {
    std::vector<const results::Row*> rows;
    for (const results::Row& row : results.rows)
        if (row.kind == "variant" && row.n == n && row.ranked() && std::isfinite(row.error))
            rows.push_back(&row);
    if (rows.empty()) return {};
    const auto [low, high] = std::minmax_element(
        rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->error < b->error; });
    const auto text = [](double error) {
        return error == 0 ? "0" : figures::tick_text(figures::Unit::powers, error);
    };
    return ui.tr()("measure.errors", arg("device", figures::device_text(results)),
                   arg("n", catalogue::size_text(n)), arg("low", text((*low)->error)),
                   arg("best", title_of(ui, **low)), arg("high", text((*high)->error)),
                   arg("worst", title_of(ui, **high)));
}

// "3.1 times as fast as “Step 2”; 98 % of what this memory can do": beside the step before it, else
// beside the slowest of its size, and beside the ceiling.
std::string compared(const Ui& ui, const results::Measurements& results, const results::Row& row) {
    if (!row.ranked()) return {};
    const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
    const catalogue::GainStep* step = find_step(steps, row.variant);
    const results::Row *other = nullptr, *ceiling = nullptr, *host = nullptr;
    for (const results::Row& each : results.rows) {
        if (each.n != row.n || !each.ranked() || each.wall_ms.empty()) continue;
        if (each.kind == "ceiling") ceiling = &each;
        const bool faster =
            each.gigabytes_per_second() > (host == nullptr ? row : *host).gigabytes_per_second();
        if (each.kind == "reference" && faster) host = &each;
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
            arg("factor", fmt::format("{:.1f}", other->device_median() / row.device_median())),
            arg("other", title_of(ui, *other))));
    // What fits into a cache says nothing of the memory.
    const double bytes = row.gigabytes_per_second() * row.device_median() * 1e6;
    if (ceiling != nullptr && ceiling->gigabytes_per_second() > 0 &&
        bytes > static_cast<double>(results.device.cache_bytes)) {
        const double part = row.gigabytes_per_second() / ceiling->gigabytes_per_second();
        add(part < 0.995
                ? ui.tr()("measure.of_ceiling", arg("percent", fmt::format("{:.0f}", 100 * part)))
                : ui.tr()("measure.at_ceiling"));
    }
    if (host != nullptr)
        add(ui.tr()("measure.host_faster", arg("other", title_of(ui, *host)),
                    arg("bandwidth", catalogue::figure_text(host->gigabytes_per_second()))));
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
    text_line(ui, what_of(ui, results, *best), Face::sans, kTextSize, Role::muted);
    const std::string words = time_of(ui, *best);
    const float room = ImGui::GetContentRegionAvail().x / ui.scale;
    const float part = room / ui.metrics.text_width(words, kHeadline, Face::bold);
    bold_line(ui, words, kHeadline * std::clamp(part, 0.5F, 1.0F),
              best->right ? Role::text : Role::race);
    if (const std::string beside = compared(ui, results, *best); !beside.empty())
        wrapped(ui, beside, ImGui::GetContentRegionAvail().x, Face::bold, kTextSize);
    if (best->expect == "unknown") {
        wrapped(ui,
                ui.tr()("measure.unknown.why", arg("bytes", catalogue::bytes_text(best->bytes))),
                ImGui::GetContentRegionAvail().x, Face::sans, kTextSize, Role::muted);
        tip(ui, unknown_tip(ui, *best));
    }
    if (const std::string launched = launch_text(ui, *best); !launched.empty()) {
        wrapped(ui, launched, ImGui::GetContentRegionAvail().x, Face::sans, kTextSize, Role::muted);
        tip(ui, ui.tr()("field.shapes.tip"));
    }
    const std::string linear = linear_text(ui, *best);
    if (linear.empty()) return;
    wrapped(ui, linear, ImGui::GetContentRegionAvail().x, Face::sans, kTextSize, Role::muted);
    tip(ui, parts_text(ui, *best));
}

// The runs so far, a line each; the one that is shown can be changed.
void run_history(Ui& ui, float width) {
    const MeasureState& state = ui.view<MeasureView>().state();
    if (state.runs.size() < 2) return;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < state.runs.size(); ++i) {
        const results::Measurements& results =
            i == state.shown_run ? *state.results.answer : state.runs[i].results;
        std::set<std::string> variants;
        for (const results::Row& row : results.rows)
            if (row.kind == "variant") variants.insert(row.variant);
        char clock[16] = {};
        if (const std::tm* local = std::localtime(&state.runs[i].at))
            (void)std::strftime(clock, sizeof clock, "%H:%M:%S", local);
        std::string what = ui.tr()("measure.kernels", arg("count", variants.size()));
        if (variants.size() == 1)
            if (const auto* variant = ui.session.catalogue().known(*variants.begin()))
                what = title_of(ui, *variant);
        lines.push_back(ui.tr()("measure.run_line", arg("time", clock), arg("what", what),
                                arg("rows", results.rows.size())));
    }
    ImGui::BeginDisabled(state.results.waiting);
    const auto chosen =
        combo(ui, "###history", lines, state.shown_run, std::min(width, ui.px(420)));
    ImGui::EndDisabled();
    tip(ui, ui.tr()("measure.history.tip"));
    if (chosen) ui.change<MeasureView>().show_run(*chosen);
}

// What was not measured.
void skipped(Ui& ui, const results::Measurements& results, float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    for (const std::string& line : results.notes)
        wrapped(ui.tr().message(line), width);
    std::string all;
    for (const std::string& line : results.skipped)
        all += ui.tr().message(line) + "\n";
    if (!all.empty()) {  // one reason says it, of more the tip has all
        std::string words = ui.tr()("measure.skipped") + ui.tr()("figure.colon") +
                            ui.tr().message(results.skipped.front());
        if (results.skipped.size() > 1)
            words += "  " + ui.tr()("race.more", arg("count", results.skipped.size() - 1));
        wrapped(words, width);
        tip(ui, all);
    }
}

// What the documents measured elsewhere.
void documents(Ui& ui, const results::Measurements& results, float width) {
    if (!comparable_with_documents(results)) return;
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    std::string theirs;
    for (const results::DocumentFigure& figure : ui.view<MeasureView>().document_figures)
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

constexpr float kLeastChart = 240;

void export_button(Ui& ui) {
    const std::string words = ui.tr()("command.export");
    const float width = words_width(words) + ui.px(24);
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
    against_choice(ui);
    export_button(ui);
    if (shown_in(ui) == kTable) {
        wrapped_label(ui, ui.tr()("measure.how"), width);
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

// Results that ship, for the time before there are some.
struct ExampleState {
    std::optional<results::Measurements> results;
    std::optional<Problem> problem;
};

const results::Measurements* example_of(const Ui& ui) {
    ExampleState& state = ui.state<ExampleState>();
    if (!state.results && !state.problem)
        state.problem = thrown_by([&] {
            state.results = results::read_results(data_folder() / "assets/example_results.json");
        });
    return state.results ? &*state.results : nullptr;
}

// What to do, how long it takes, and what comes of it: an example.
void first_page(Ui& ui, float width) {
    wrapped(ui, ui.tr()(platform::kBrowser ? "measure.empty_browser" : "measure.empty"), width,
            Face::sans, kTextSize, Role::text);
    const std::string times = platform::kBrowser ? "" : estimates(ui);
    if (!times.empty()) wrapped(ui, times, width, Face::sans, kTextSize, Role::muted);
    const results::Measurements* example = example_of(ui);
    if (example == nullptr) return problem_card(ui, *ui.state<ExampleState>().problem, width);
    ImGui::Dummy({0, ui.px(8)});
    wrapped(ui, ui.tr()("measure.example", arg("device", figures::device_text(*example))), width,
            Face::bold, kTextSize, Role::barrier_text);
    chart_figure(ui, {"bandwidth", "example", [&] { return std::vector{*example}; }},
                 {width, std::max(ImGui::GetContentRegionAvail().y, ui.px(kLeastChart))});
}

// What the measure view shows, as a file.

// The rows of all results that are shown, under one line of headings.
std::string csv_of_all(const std::vector<results::Measurements>& all) {
    std::string text;
    for (const results::Measurements& results : all) {
        const std::string csv = csv_of(results);
        text += text.empty() ? csv : csv.substr(csv.find('\n') + 1);
    }
    return text;
}

}  // namespace

void chart_figure(Ui& ui, const ChartContent& content, ImVec2 size) {
    const Scope child = begin_child("chart", size, ImGuiWindowFlags_HorizontalScrollbar);
    if (ui.session.presenting) scroll_by_keys(ui);
    const figures::Point room{(size.x - ui.px(14)) / ui.scale, size.y / ui.scale - 4};
    const figures::Scene& scene = chart(ui, content, room);
    const ChartState& state = ui.state<ChartState>();
    if (state.problem) {
        why_not(ui, content, *state.problem, size.x);
    } else {
        if (!scene.sentence.empty())
            wrapped(ui, scene.sentence, ui.px(room.x), Face::bold, kTextSize);
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const Ui smaller = ui.smaller(state.fit);
        show_tip(ui, paint(smaller, scene, point).tip);
        ImGui::Dummy({std::floor(smaller.px(scene.width)), std::floor(smaller.px(scene.height))});
    }
}

std::string progress_text(const Ui& ui, const session::MeasureProgress& progress) {
    std::string words = progress.total == 0 ? ui.tr()("measure.preparing")
                                            : ui.tr()("measure.progress", arg("k", progress.done),
                                                      arg("n", progress.total));
    if (progress.seconds_left >= 1)
        words += ", " +
                 ui.tr()("measure.left", arg("time", fmt::format("{:.0f} {}", progress.seconds_left,
                                                                 ui.tr()("unit.s"))));
    return words;
}

void measure_stop_button(Ui& ui, const session::MeasureProgress& progress, float width) {
    command_button(ui, "cancel",
                   ui.tr()("measure.stop", arg("progress", progress_text(ui, progress))), false,
                   width);
    const float part = progress.total == 0
                           ? 0
                           : static_cast<float>(progress.done) / static_cast<float>(progress.total);
    share_bar(ui, ImGui::GetCursorScreenPos(), {width, ui.px(8)}, part, Role::act);
    ImGui::Dummy({width, ui.px(10)});
}

std::string gain_text(const Ui& ui, const catalogue::Kernel& variant) {
    if (variant.gain.after.empty()) return {};
    const catalogue::Catalogue& catalogue = ui.session.catalogue();
    const catalogue::Kernel* before = catalogue.known(variant.gain.after);
    const std::string title = before == nullptr ? variant.gain.after : before->title;
    std::string words =
        ui.tr()("gain.against",
                arg("before", ui.tr().get("variant." + variant.gain.after + ".title", title)),
                arg("list", predicted_list(ui, variant.gain)));
    const std::string measured =
        measured_list(ui, {variant.id, variant.gain}, gain_steps(catalogue));
    if (!measured.empty()) words += "\n" + ui.tr()("gain.measured", arg("list", measured));
    return words;
}

std::string why_text(const Ui& ui, const catalogue::Kernel& variant) {
    if (variant.gain.after.empty()) return {};
    return ui.tr().get("variant." + variant.id + ".why", variant.gain.why);
}

void measure_choices(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "what", area);
    if (platform::kBrowser) {  // what was measured elsewhere can be shown
        wrapped(ui.tr()("measure.browser"), ImGui::GetContentRegionAvail().x);
        ImGui::Dummy({0, ui.px(8)});
        added_results(ui, ImGui::GetContentRegionAvail().x);
        return;
    }
    MeasureChoice choice = ui.session.settings().measure;
    const float width = ImGui::GetContentRegionAvail().x;
    bold_line(ui, ui.tr()("measure.what"), kTextSize + 1);
    // The form scrolls, so that the buttons are always there; the list in it, so that the fields
    // are, where there is room.
    ImGui::BeginChild("form",
                      {width, ImGui::GetContentRegionAvail().y - start_buttons_height(ui, width)});
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
    ui.change<MeasureView>().set(std::move(choice));
    added_results(ui, inner);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(10)});
    if (ui.view<MeasureView>().busy())
        measure_stop_button(ui, ui.view<MeasureView>().state().progress, width);
    else
        start_buttons(ui, width);
}

void present_measure(Ui& ui) {
    const MeasureState& state = ui.view<MeasureView>().state();
    if (session::shown_results(state).empty())
        return wrapped(ui, ui.tr()(platform::kBrowser ? "measure.empty_browser" : "measure.empty"),
                       ImGui::GetContentRegionAvail().x, Face::sans, kTitleSize, Role::muted);
    Presented presented;
    presented.title = ui.tr()("command.view.measure");
    if (const results::Row* best =
            state.results.answer ? best_row(*state.results.answer) : nullptr) {
        if (shown_in(ui) == "error")
            presented.sentence = error_sentence(ui, *state.results.answer, best->n);
        if (presented.sentence.empty())
            presented.sentence =
                what_of(ui, *state.results.answer, *best) + ":  " + time_of(ui, *best);
        presented.tone = tone_of(!best->right);
    }
    presented.picture = [&](ImVec2 room) { measure_chart(ui, room); };
    draw_presented(ui, presented);
}

void measure_results(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "results", area);
    const session::Asked<results::Measurements>& results = ui.view<MeasureView>().state().results;
    const float width = ImGui::GetContentRegionAvail().x;
    if (results.problem) problem_card(ui, *results.problem, width);
    if (results.answer) {
        for (const Problem& problem : results.answer->problems)
            problem_card(ui, problem, width);
        headline(ui, *results.answer);
        run_history(ui, width);
        if (!results.answer->complete && !results.waiting)
            wrapped_label(ui, ui.tr()("measure.incomplete"), width);
        skipped(ui, *results.answer, width);
    }
    const std::vector<const results::Measurements*> shown =
        session::shown_results(ui.view<MeasureView>().state());
    if (!shown.empty()) {
        figures(ui, shown, width);
    } else if (results.answer) {
        wrapped(ui, ui.tr()("measure.how"), width, Face::sans, kTextSize, Role::muted);
    } else {
        first_page(ui, width);
    }
}

void save_measure(Ui& ui, const fs::path& file, const std::string& suffix) {
    const MeasureState& measure = ui.view<MeasureView>().state();
    const std::vector<results::Measurements> all = session::results_to_draw(measure);
    if (suffix == ".csv") return write_file(file, csv_of_all(all));
    if (suffix == ".json") {
        if (!measure.results.answer || measure.results.answer->rows.empty())
            throw Problem("Nothing was measured here", "What is shown are the results of others",
                          "Run a measurement, or export a .csv, which has the rows of all");
        write_results(*measure.results.answer, file);
        return;
    }
    const std::vector<results::Datasheet> sheets = results::datasheets();
    const std::vector<results::DocumentFigure> figures =
        without_defaults(ui.view<MeasureView>().document_figures, ui.session.catalogue());
    figures::MeasureChartOptions options;
    options.chart = ui.session.settings().measure.shown;
    options.figures = figures;
    options.datasheets = sheets;
    const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
    options.steps = steps;
    options.size.text_scale = ui.palette.text_scale;
    options.size.width *= ui.palette.text_scale;
    figures::save(figures::measure_chart(all, options, ui.metrics, ui.tr()), ui.palette, ui.metrics,
                  file);
}

}  // namespace lab::gui
