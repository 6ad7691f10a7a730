// Horizontal bars, one below the other, with the figure written at each.
#pragma once

#include <string>
#include <vector>

#include "figures/chart.h"
#include "figures/scene.h"
namespace lab::figures {

enum class BarStanding : std::uint8_t {
    usual,
    muted,  // not to be compared with the others
    none,   // no bar: `figure` says why, in a hatched box
    empty,  // no bar: `figure` says why
};

struct Bar {
    std::string name;
    SeriesLook look;
    BarStanding standing = BarStanding::usual;
    double value = 0, low = 0, high = 0;  // whiskers where low < high
    std::string figure;                   // at its end
    std::string tip = {};
    double mark = 0;           // a diamond at what was expected; 0: none
    std::string heading = {};  // a line above this bar, of it and those below
};

struct BarChart {
    std::string title, subtitle, description;
    std::string sentence = {};  // of the scene
    std::string label;
    double reference = 0;  // a line across all bars; 0: none
    // Linear: bars begin at 0. Else at 1: those above it go to the right, those below to the left.
    Scale scale = Scale::linear;
    std::vector<Bar> bars;
    std::vector<std::string> notes;
};

// As high as the bars need and no higher than size.height unless they must.
Scene bar_scene(const BarChart& chart, const ChartSize& size, const Fonts& fonts);

// The second at the right of the first, their upper edges level.
Scene side_by_side(Scene left, const Scene& right, float gap);

// The second below the first, their left edges level.
Scene one_above_the_other(Scene upper, const Scene& lower, float gap);

// The scene with a title and some words above it; its width is left to it.
Scene under_heading(Scene scene, const std::string& title, const std::string& words, float scale);

}  // namespace lab::figures
