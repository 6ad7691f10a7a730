#include <algorithm>
#include <cmath>
#include <optional>

#include "figures/charts/measure_charts.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr const char* kTable = "table";

// What the settings ask for, if there is such a chart.
std::string shown_in(const Ui& ui) {
    const std::string& asked = ui.session.settings().measure.shown;
    for (const figures::MeasureChart& chart : figures::measure_charts())
        if (asked == chart.id) return asked;
    return asked == kTable ? asked : figures::measure_charts().front().id;
}

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
figures::Scene lay_out(const Ui& ui, ChartState& state, figures::Point size) {
    const session::MeasureView& view = ui.view<session::MeasureView>();
    const std::vector<results::Measurements> results = session::results_to_draw(view.state());
    state.problem.reset();
    try {
        if (!state.datasheets) state.datasheets = results::datasheets();
        const std::vector<results::DocumentFigure> figures =
            without_defaults(view.document_figures(), ui.session.catalogue());
        const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
        figures::MeasureChartOptions options;
        options.chart = shown_in(ui);
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

const figures::Scene& chart(const Ui& ui, figures::Point size) {
    ChartState& state = ui.state<ChartState>();
    const session::MeasureState& measure = ui.view<session::MeasureView>().state();
    const std::string key = fmt::format("{} {} {} {} {}", measure.version, measure.results.waiting,
                                        size.x, size.y, shown_in(ui));
    return state.scene.get(ui, key, [&] { return lay_out(ui, state, size); });
}

void why_not(const Ui& ui, const Problem& given, float width) {
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    if (shown_in(ui) == "groups") {
        wrapped(ui.tr()("measure.no_groups"), width);
        return;
    }
    const Problem problem = translated(given, ui.tr());
    wrapped(as_sentence(ui, problem.what_happened) + ui.tr()("figure.space") +
                as_sentence(ui, problem.why),
            width);
}

}  // namespace

void chart_choice(Ui& ui) {
    const std::string shown = shown_in(ui);
    const auto choose = [&](const std::string& id, const std::string& words) {
        const bool first = id == figures::measure_charts().front().id;
        const float wide = ImGui::CalcTextSize(words.c_str()).x + ui.px(26);
        if (!first) ImGui::SameLine(0, ui.px(2));
        if (!first && ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        if (pill(ui, ("shown." + id).c_str(), words, shown == id)) {
            session::MeasureChoice choice = ui.session.settings().measure;
            choice.shown = id;
            ui.change<session::MeasureView>().set(std::move(choice));
        }
    };
    for (const figures::MeasureChart& chart : figures::measure_charts())
        choose(chart.id, ui.tr()(std::string("chart.") + chart.id + ".short"));
    choose(kTable, ui.tr()("chart.table.short"));
}

bool shows_table_only(const Ui& ui) {
    return shown_in(ui) == kTable;
}

void measure_chart(Ui& ui, ImVec2 size) {
    ImGui::BeginChild("chart", size, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const figures::Point room{(size.x - ui.px(14)) / ui.scale, size.y / ui.scale - 4};
    const figures::Scene& scene = chart(ui, room);
    const ChartState& state = ui.state<ChartState>();
    if (state.problem) {
        why_not(ui, *state.problem, size.x);
    } else {
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const Ui smaller = ui.smaller(state.fit);
        show_tip(ui, paint(smaller, scene, *ImGui::GetWindowDrawList(), point).tip);
        ImGui::Dummy({std::floor(smaller.px(scene.width)), std::floor(smaller.px(scene.height))});
    }
    ImGui::EndChild();
}

}  // namespace lab::gui
