// Horizontal bars, one below the other, with the figure written at each.
#pragma once

#include <string>
#include <vector>

#include "draw/chart.h"

namespace lab::draw {

enum class BarStanding : std::uint8_t {
    usual,
    muted,  // not to be compared with the others
    none,   // no bar: `figure` says why, in a hatched box
};

struct Bar {
    std::string name;
    SeriesLook look;
    BarStanding standing = BarStanding::usual;
    double value = 0, low = 0, high = 0;  // whiskers where low < high
    std::string figure;                   // at its end
    std::string tip = {};
};

struct BarChart {
    std::string title, subtitle, description;
    std::string label;     // of the axis, which begins at 0
    double reference = 0;  // a line across all bars; 0: none
    std::vector<Bar> bars;
    std::vector<std::string> notes;
};

// As high as the bars need and no higher than size.height unless they must.
Scene bar_scene(const BarChart& chart, const ChartSize& size, const Fonts& fonts);

}  // namespace lab::draw
