// The table of all charts of measurements: from result files to a Scene.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/translations.h"
#include "catalogue/kernel.h"
#include "figures/chart.h"
#include "figures/measure_series.h"
#include "results/documents.h"
#include "results/result.h"
namespace lab::figures {

struct MeasureChartOptions {
    std::string chart = "time";  // an id of measure_charts()
    // Baseline of the speed-ups, an id; empty: ladder-1-modulo, else the slowest that is right.
    std::string baseline;
    std::optional<std::uint64_t> n;     // for charts at one size; empty: what most series have
    std::vector<std::string> variants;  // ids; none: all
    std::span<const results::DocumentFigure> figures;  // of the documents; may be empty
    std::span<const results::Datasheet> datasheets;
    std::span<const catalogue::GainStep> steps;  // for the ladder's chart
    ChartSize size;
};

// To add a chart: an entry of the table, and the texts "chart.<id>" and "chart.<id>.short".
struct MeasureChart {
    const char* id;
    const char* shows;  // in a line, for help
    bool at_one_n = false;
};
std::span<const MeasureChart> measure_charts();

// The most useful chart for these results: bandwidth where there are several sizes, else time by
// group size where there are several of those, else speed-ups where there is a baseline.
std::string usual_chart(std::span<const results::Measurements> files);

// Throws Problem if there is nothing to show, if the files have different operators or types, or if
// an option names what they do not have.
Scene measure_chart(std::span<const results::Measurements> files,
                    const MeasureChartOptions& options, const Fonts& fonts, const Translations& tr);

// Shared by the functions that make one chart of measurements each.

struct MeasureContext {
    const std::vector<Source>& sources;
    const MeasureChartOptions& options;
    const Fonts& fonts;
    const Translations& tr;
};

Scene time_chart(const MeasureContext& in);
Scene bandwidth_chart(const MeasureContext& in);
Scene error_chart(const MeasureContext& in);
Scene speedup_chart(const MeasureContext& in);
Scene groups_chart(const MeasureContext& in);
Scene ladder_chart(const MeasureContext& in);

// The requested size, else the largest one with more than half as many series as the best size has:
// of those that all devices have, or else the first. Throws Problem with the available sizes.
std::uint64_t chosen_n(const MeasureContext& in, const std::vector<MeasuredSeries>& series,
                       const std::function<bool(const MeasuredSeries&, std::uint64_t)>& counts);

// Adds what a chart shows besides measurements: ceilings, datasheets, and the documents' figures.

// A chart under construction, and what of it needs an explanation.
struct ChartBuilder {
    const MeasureContext& in;
    Chart& chart;
    LegendFlags legend = {};
    std::size_t untimed = 0;  // rows without a time
};

using PointOf = ChartPoint (*)(const MeasuredRow&);

// The bandwidth of a kernel that only reads, as a dashed line per device.
void add_ceilings(ChartBuilder& to, PointOf point_of);

// The bandwidth from the datasheet, in GB/s, as a dotted line per known device.
void add_datasheets(ChartBuilder& to);

// Sets the point of a document's figure; false: it has no place in the chart.
using PlaceOf = std::function<bool(const results::DocumentFigure&, ChartPoint&)>;
// For the documents, what is of variants and settings that are in the chart; a series each
// hardware. What lies too far from what was measured would leave no room for it, and is counted
// instead.
void add_figures(ChartBuilder& to, const std::vector<MeasuredSeries>& shown, const PlaceOf& place);

}  // namespace lab::figures
