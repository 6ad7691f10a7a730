// Charts of any data: lines with points over two axes. What is drawn is plain data; the layout
// makes a Scene of it in which no words overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "figures/plot/markers.h"
#include "figures/plot/ticks.h"
#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

struct Axis {
    std::string label;
    Scale scale = Scale::linear;
    Unit unit = Unit::plain;
    std::vector<double> values = {};  // marks that are preferred, if there is room for all
    // For a vertical axis of logarithms: the name of the line at the bottom where 0 is shown.
    std::string zero = {};
    // For a vertical axis: the name of the line at the top where what is no number is shown.
    std::string no_number = {};
    TimeSigns signs = {};
};

enum class Standing : std::uint8_t {
    usual,
    wrong,      // never part of a line
    elsewhere,  // likewise
};

struct ChartPoint {
    double x = 0, y = 0;
    double low = 0, high = 0;  // of a band around the line
    Standing standing = Standing::usual;
    std::string tip = {};
    double bound = 0;                     // a dashed mark at this y; 0: none
    std::optional<SeriesLook> look = {};  // if it is not the series'
};

struct ChartSeries {
    std::string name;
    SeriesLook look;
    Dash dash = Dash::solid;
    bool joined = true;
    Role label = Role::text;
    Standing swatch = Standing::usual;    // of the mark before its name
    std::vector<ChartPoint> points = {};  // by rising x
};

struct Chart {
    std::string title, subtitle, description;
    Axis x, y;
    std::vector<ChartSeries> series;
    std::vector<std::string> notes;  // sentences below
};

struct ChartSize {
    float width = 1000, height = 600;  // points; a chart is higher if it must be
    float text_scale = 1;              // Palette::text_scale
    bool heading = true;
};

// The narrowest that a chart can be; what is asked to be narrower is as wide.
inline constexpr float kLeastChartWidth = 320;

Scene chart_scene(const Chart& chart, const ChartSize& size, const Fonts& fonts);

}  // namespace lab::figures
