// Shared by the functions that make one chart of measurements each.
#pragma once

#include <functional>
#include <vector>

#include "figures/charts/measure_charts.h"
#include "figures/charts/measure_series.h"
#include "figures/charts/measure_text.h"

namespace lab::figures {

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

}  // namespace lab::figures
