// What lines of measurements are drawn beside: ceilings, datasheets, and the documents' figures.
#pragma once

#include <functional>
#include <vector>

#include "figures/charts/measure_context.h"
#include "figures/plot/chart.h"

namespace lab::figures {

// A chart as it is being filled, and what of it needs a word.
struct ChartBuilder {
    const MeasureContext& in;
    Chart& chart;
    LegendFlags legend = {};
    std::size_t untimed = 0;  // rows without a figure to show
};

using PointOf = ChartPoint (*)(const MeasuredRow&);

// What a kernel that only reads reaches, as a dashed line a device.
void add_ceilings(ChartBuilder& to, PointOf point_of);

// What the makers say, in GB/s, as a dotted line a device that is known.
void add_datasheets(ChartBuilder& to);

// Where a document's figure stands; false: it has no place in the chart.
using PlaceOf = std::function<bool(const results::DocumentFigure&, ChartPoint&)>;
// For the documents, what is of variants and settings that are in the chart; a series each
// hardware. What lies too far from what was measured would leave no room for it, and is counted
// instead.
void add_figures(ChartBuilder& to, const std::vector<MeasuredSeries>& shown, const PlaceOf& place);

}  // namespace lab::figures
