// What a chart shows besides measurements: ceilings, datasheets, and the documents' figures.
#pragma once

#include <functional>
#include <vector>

#include "figures/charts/measure_context.h"
#include "figures/plot/chart.h"

namespace lab::figures {

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
