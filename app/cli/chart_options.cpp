#include "cli/chart_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "base/translations.h"
#include "catalogue/number.h"
#include "cli/shared.h"
#include "figures/charts/measure_charts.h"
#include "figures/painters/save.h"
#include "figures/scene/palette.h"
#include "manual/help.h"

namespace lab::cli {
namespace {

std::vector<std::string> chart_ids() {
    std::vector<std::string> ids;
    for (const figures::MeasureChart& chart : figures::measure_charts())
        ids.emplace_back(chart.id);
    return ids;
}

std::string charts_help() {
    std::vector<std::string> parts;
    for (const figures::MeasureChart& chart : figures::measure_charts())
        parts.push_back(fmt::format("{} ({})", chart.id, chart.shows));
    return fmt::format(
        "What is drawn: {} [bandwidth; with one size or --n groups, if there are several, else "
        "speedup]",
        fmt::join(parts, ", "));
}

constexpr const char* kSpeedUp = "speedup";
constexpr int kLeast = 300, kMost = 10'000;  // points

// "1000x600", in points.
figures::ChartSize size_of(const std::string& text) {
    int width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    const bool cross = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
    const auto second = cross ? std::from_chars(first.ptr + 1, end, height) : first;
    const auto fits = [](int length) { return length >= kLeast && length <= kMost; };
    if (!cross || second.ec != std::errc{} || second.ptr != end || !fits(width) || !fits(height))
        throw Problem(
            fmt::format("'{}' is no size of a chart", text),
            fmt::format("It is width x height in points, each from {} to {}", kLeast, kMost),
            "Write --size 1000x600", "--size");
    figures::ChartSize size;
    size.width = static_cast<float>(width);
    size.height = static_cast<float>(height);
    return size;
}

}  // namespace

void ChartOptions::add_to(CLI::App& app) {
    manual::add_choice(app, "--chart", chart, chart_ids(), charts_help());
    app.add_option("--baseline", baseline,
                   "Id of what speed-ups are against [ladder-1-modulo, else the slowest]");
    manual::add_choice(app, "--theme", theme, figures::kThemes, "Colours of the drawing")
        ->capture_default_str();
    manual::add_choice(app, "--lang", language, kLanguages, "Language of the drawing")
        ->capture_default_str();
    app.add_option(
           "--size", size,
           "Size of the drawing, in points; a chart is higher if it must be, few bars are lower")
        ->type_name("WxH")
        ->capture_default_str();
    app.add_flag("--documents,!--no-documents", documents,
                 "Whether the drawing has what the documents measured, as theirs [yes]");
}

void ChartOptions::add_selection_to(CLI::App& app) {
    app.add_option("--n", n, "Elements, for charts at one size [the largest that most have]");
    app.add_option("--variants", variants, "Only these, ids with commas between them")
        ->delimiter(',');
}

void ChartOptions::check() const {
    (void)size_of(size);
    if (!n.empty()) (void)catalogue::parse_size(n);
    if (chart.empty()) return;
    if (!baseline.empty() && chart != kSpeedUp)
        throw Problem(fmt::format("The chart '{}' has no baseline", chart),
                      "Only speed-ups are against one", "Ask for --chart speedup", "--baseline");
    std::vector<const char*> at_one_n;
    for (const figures::MeasureChart& each : figures::measure_charts())
        if (each.at_one_n) at_one_n.push_back(each.id);
    for (const figures::MeasureChart& each : figures::measure_charts())
        if (!n.empty() && chart == each.id && !each.at_one_n)
            throw Problem(
                fmt::format("The chart '{}' shows every n", chart), "",
                fmt::format("Leave --n out, or ask for --chart {}", fmt::join(at_one_n, " or ")),
                "--n");
}

namespace {

// The chart asked for, else one that has what else was asked for, else what says most.
std::string chart_of(const std::vector<results::Measurements>& results,
                     const ChartOptions& options) {
    if (!options.chart.empty()) return options.chart;
    if (!options.baseline.empty()) return kSpeedUp;
    if (options.n.empty()) return figures::usual_chart(results);
    std::vector<results::Measurements> at_n = results;
    for (results::Measurements& measurements : at_n)
        std::erase_if(measurements.rows, [n = catalogue::parse_size(options.n)](
                                             const results::Row& row) { return row.n != n; });
    return figures::usual_chart(at_n) == "groups" ? "groups" : kSpeedUp;
}

}  // namespace

void draw_chart(const std::vector<results::Measurements>& results, const ChartOptions& options,
                const std::string& file) {
    const figures::Palette palette = figures::load_palette(options.theme);
    const figures::Fonts fonts;
    const std::vector<results::Datasheet> sheets = results::datasheets();
    std::vector<results::DocumentFigure> figures;
    if (options.documents)
        figures = results::without_defaults(results::document_figures(), catalogue());
    figures::MeasureChartOptions asked;
    asked.chart = chart_of(results, options);
    asked.baseline = options.baseline;
    if (!options.n.empty()) asked.n = catalogue::parse_size(options.n);
    asked.variants = options.variants;
    asked.figures = figures;
    asked.datasheets = sheets;
    const std::vector<catalogue::GainStep> steps = gain_steps(catalogue());
    asked.steps = steps;
    asked.size = size_of(options.size);
    asked.size.text_scale = palette.text_scale;
    figures::save(figures::measure_chart(results, asked, fonts, Translations(options.language)),
                  palette, fonts, file);
}

}  // namespace lab::cli
