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
    // Those whose lines have a colour before all others, ids, and how many lines have one.
    std::vector<std::string> coloured = {};
    std::size_t most_coloured = kMostColoured;
    std::span<const results::DocumentFigure> figures;  // of the documents; may be empty
    std::span<const results::Datasheet> datasheets;
    std::span<const catalogue::GainStep> steps;  // for the ladder's chart
    ChartSize size;
};

// To add a chart: an entry of the table, and the texts "chart.<id>" and "chart.<id>.short".
struct MeasureChart {
    const char* id;
    const char* shows;  // in a line, for help
    Scene (*draw)(const struct MeasureContext&);
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

}  // namespace lab::figures
