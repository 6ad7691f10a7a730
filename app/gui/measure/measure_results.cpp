#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <set>
#include <tuple>

#include "base/platform.h"
#include "catalogue/gain.h"
#include "catalogue/number.h"
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
                   fmt::arg("title", title_of(ui, row)), fmt::arg("count", kernels.size()),
                   fmt::arg("n", catalogue::size_text(row.n)));
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
            fmt::arg("factor", fmt::format("{:.1f}", other->device_median() / row.device_median())),
            fmt::arg("other", title_of(ui, *other))));
    // What fits into a cache says nothing of the memory.
    const double bytes = row.gigabytes_per_second() * row.device_median() * 1e6;
    if (ceiling != nullptr && ceiling->gigabytes_per_second() > 0 &&
        bytes > static_cast<double>(results.device.cache_bytes)) {
        const double part = row.gigabytes_per_second() / ceiling->gigabytes_per_second();
        add(part < 0.995 ? ui.tr()("measure.of_ceiling",
                                   fmt::arg("percent", fmt::format("{:.0f}", 100 * part)))
                         : ui.tr()("measure.at_ceiling"));
    }
    if (host != nullptr)
        add(ui.tr()("measure.host_faster", fmt::arg("other", title_of(ui, *host)),
                    fmt::arg("bandwidth", catalogue::figure_text(host->gigabytes_per_second()))));
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
        ImGui::TextUnformatted(what_of(ui, results, *best).c_str());
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
    if (best->expect == "unknown") {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        wrapped(
            ui.tr()("measure.unknown.why", fmt::arg("bytes", catalogue::bytes_text(best->bytes))),
            ImGui::GetContentRegionAvail().x);
        tip(ui, unknown_tip(ui, *best));
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
        wrapped(ui.tr().message(line), width);
    std::string all;
    for (const std::string& line : results.skipped)
        all += ui.tr().message(line) + "\n";
    if (!all.empty()) {
        wrapped(fmt::format("{}{}{}", ui.tr()("measure.skipped"), ui.tr()("figure.colon"),
                            results.skipped.size()),
                width);
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
        return wrapped(ui.tr()(platform::kBrowser ? "measure.empty_browser" : "measure.empty"),
                       ImGui::GetContentRegionAvail().x);
    }
    Presented presented;
    presented.title = ui.tr()("command.view.measure");
    if (const results::Row* best =
            state.results.answer ? best_row(*state.results.answer) : nullptr) {
        presented.sentence = what_of(ui, *state.results.answer, *best) + ":  " + time_of(ui, *best);
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
        wrapped(ui.tr()(results.answer       ? "measure.how"
                        : platform::kBrowser ? "measure.empty_browser"
                                             : "measure.empty"),
                width);
    }
    end_card();
}

}  // namespace lab::gui
