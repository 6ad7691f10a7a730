// The marks of a chart's points: distinguished by shape as well as by colour.
#pragma once

#include <cstddef>
#include <cstdint>

#include "figures/scene/scene.h"

namespace lab::figures {

enum class Marker : std::uint8_t {
    circle,
    square,
    triangle,
    diamond,
    cross,
    triangle_down,
    plus,
    open_circle,
    open_square,
    open_triangle,
    open_diamond,
    open_triangle_down,
    count_,
    none = count_  // a line without points
};

inline constexpr std::size_t kSeriesRoles = 7;

// How one series looks, wherever it is drawn.
struct SeriesLook {
    Role role = Role::series_1;
    Marker marker = Marker::circle;
};

// The look of the `index`-th of the things that are compared, on the `device`-th of `devices`
// devices. On one device neighbours differ in colour and in shape; on several the colour is the
// thing's and the shape the device's. No two are alike for 49 things on one device, and for
// 12 / devices * 7 things otherwise.
SeriesLook look_of_series(std::size_t index, std::size_t device, std::size_t devices);

// `reach` is half the width of a square that it about fills.
void add_marker(Scene& scene, Point middle, float reach, SeriesLook look);

// The same within a hatched box: what is marked is wrong.
void add_wrong_marker(Scene& scene, Point middle, float reach, SeriesLook look);

// The same within a dashed ring: it was measured elsewhere.
void add_elsewhere_marker(Scene& scene, Point middle, float reach, SeriesLook look);

}  // namespace lab::figures
