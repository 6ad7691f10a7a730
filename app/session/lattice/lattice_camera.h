// The camera of the lattice: position and zoom as plain numbers, in points of the view.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lab::session {

// The view that a lattice is to be seen in.
struct LatticeFrame {
    double width = 1000, height = 500;  // points
    std::size_t rows = 1;
    std::uint64_t cells = 1;  // of the longest row

    bool operator==(const LatticeFrame&) const = default;
};

// All rows have the length of the longest one: rows with fewer cells have wider cells.
struct LatticeCamera {
    double x = 0.5;   // of the whole length: what stands in the middle of the view
    double y = 0.5;   // of all rows' height, the same
    double zoom = 1;  // length of the whole, in widths of the view

    bool operator==(const LatticeCamera&) const = default;
};

inline constexpr double kClosestCell = 84;   // points: the width of a cell at the closest
inline constexpr double kReadableCell = 64;  // at which its value is readable
inline constexpr double kTallestRow = 104;   // points: room for a cell, its item and arcs

double most_zoom(const LatticeFrame& frame);
// Rows grow with the zoom, from the height that shows all up to kTallestRow.
double row_height(const LatticeFrame& frame, double zoom);
// For the whole length, in points from the view's left edge; of all rows, from its top.
double left_of(const LatticeFrame& frame, const LatticeCamera& camera);
double top_of(const LatticeFrame& frame, const LatticeCamera& camera);

// Limited to the lattice.
LatticeCamera bounded(const LatticeFrame& frame, LatticeCamera camera);
// Zooms by `factor`; what is at that place of the view stays there.
LatticeCamera zoomed(const LatticeFrame& frame, const LatticeCamera& camera, double factor,
                     double at_x, double at_y);
LatticeCamera panned(const LatticeFrame& frame, LatticeCamera camera, double dx, double dy);
// Centred on a cell of a row with `cells` cells, large enough to read its value.
LatticeCamera on_cell(const LatticeFrame& frame, std::size_t row, std::uint64_t cell,
                      std::uint64_t cells);
// Between two cameras on a path that looks straight; `share` from 0 to 1.
LatticeCamera between(const LatticeFrame& frame, const LatticeCamera& from, const LatticeCamera& to,
                      double share);

}  // namespace lab::session
