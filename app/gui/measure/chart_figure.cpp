#include "gui/measure/chart_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "figures/charts/measure_charts.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

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

// In a room of `size` points.
figures::Scene lay_out(const Ui& ui, const ChartContent& content, ChartState& state,
                       figures::Point size) {
    const session::MeasureView& view = ui.view<session::MeasureView>();
    const std::vector<results::Measurements> results = content.results();
    state.problem.reset();
    try {
        if (!state.datasheets) state.datasheets = results::datasheets();
        const std::vector<results::DocumentFigure> figures =
            without_defaults(view.document_figures(), ui.session.catalogue());
        const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
        figures::MeasureChartOptions options;
        options.chart = content.chart;
        options.figures = figures;
        options.datasheets = *state.datasheets;
        options.steps = steps;
        const auto drawn_smaller = [&](float fit) {
            state.fit = fit;
            // Small text on screen is hinted, and so up to a fiftieth wider than its outlines.
            const float width = size.x / fit * (fit < 1 ? 0.98F : 1.0F);
            options.size = {width, size.y / fit, ui.palette.text_scale, false};
            return figures::measure_chart(results, options, ui.metrics, ui.tr());
        };
        figures::Scene scene = drawn_smaller(1);
        const float part = size.y / scene.height;
        return part < 1 ? drawn_smaller(std::max(part, smallest(ui))) : scene;
    } catch (const Problem& problem) {
        state.problem = problem;
        return {};
    }
}

const figures::Scene& chart(const Ui& ui, const ChartContent& content, figures::Point size) {
    ChartState& state = ui.state<ChartState>();
    const std::string key = fmt::format("{} {} {} {}", content.key, content.chart, size.x, size.y);
    return state.scene.get(ui, key, [&] { return lay_out(ui, content, state, size); });
}

void why_not(const Ui& ui, const ChartContent& content, const Problem& given, float width) {
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    if (content.chart == "groups") {
        wrapped(ui.tr()("measure.no_groups"), width);
        return;
    }
    const Problem problem = translated(given, ui.tr());
    wrapped(as_sentence(ui, problem.what_happened) + ui.tr()("figure.space") +
                as_sentence(ui, problem.why),
            width);
}

}  // namespace

void chart_figure(Ui& ui, const ChartContent& content, ImVec2 size) {
    ImGui::BeginChild("chart", size, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const figures::Point room{(size.x - ui.px(14)) / ui.scale, size.y / ui.scale - 4};
    const figures::Scene& scene = chart(ui, content, room);
    const ChartState& state = ui.state<ChartState>();
    if (state.problem) {
        why_not(ui, content, *state.problem, size.x);
    } else {
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const Ui smaller = ui.smaller(state.fit);
        show_tip(ui, paint(smaller, scene, *ImGui::GetWindowDrawList(), point).tip);
        ImGui::Dummy({std::floor(smaller.px(scene.width)), std::floor(smaller.px(scene.height))});
    }
    ImGui::EndChild();
}

std::string progress_text(const Ui& ui, const session::MeasureProgress& progress) {
    std::string words = progress.total == 0
                            ? ui.tr()("measure.preparing")
                            : ui.tr()("measure.progress", fmt::arg("k", progress.done),
                                      fmt::arg("n", progress.total));
    if (progress.seconds_left >= 1)
        words += ", " + ui.tr()("measure.left",
                                fmt::arg("time", fmt::format("{:.0f} {}", progress.seconds_left,
                                                             ui.tr()("unit.s"))));
    return words;
}

void measure_stop_button(Ui& ui, const session::MeasureProgress& progress, float width) {
    command_button(ui, "cancel",
                   ui.tr()("measure.stop", fmt::arg("progress", progress_text(ui, progress))),
                   false, width);
    const float part = progress.total == 0
                           ? 0
                           : static_cast<float>(progress.done) / static_cast<float>(progress.total);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(point, {point.x + width, point.y + ui.px(8)}, ui.colour(Role::idle_fill),
                       ui.px(4));
    if (part > 0)
        into.AddRectFilled(point, {point.x + width * part, point.y + ui.px(8)},
                           ui.colour(Role::act), ui.px(4));
    ImGui::Dummy({width, ui.px(10)});
}

}  // namespace lab::gui
