// Where one looks in a lattice, and how closely: plain numbers, in points of the view.
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

// All rows are as long as the longest: where they have fewer cells, those are wider.
struct LatticeCamera {
    double x = 0.5;   // of the whole length: what stands in the middle of the view
    double y = 0.5;   // of all rows' height, the same
    double zoom = 1;  // how many times as long as the view the whole is

    bool operator==(const LatticeCamera&) const = default;
};

inline constexpr double kClosestCell = 84;   // points: the width of a cell at the closest
inline constexpr double kReadableCell = 64;  // … and at which its value is read well
inline constexpr double kTallestRow = 104;   // points: room for a cell, its item and arcs

double most_zoom(const LatticeFrame& frame);
// Rows grow as one comes closer, from what lets all be seen to kTallestRow.
double row_height(const LatticeFrame& frame, double zoom);
// For the whole length, in points from the view's left edge; of all rows, from its top.
double left_of(const LatticeFrame& frame, const LatticeCamera& camera);
double top_of(const LatticeFrame& frame, const LatticeCamera& camera);

// Within what there is to see.
LatticeCamera bounded(const LatticeFrame& frame, LatticeCamera camera);
// `factor` times as close; what is at that place of the view stays there.
LatticeCamera zoomed(const LatticeFrame& frame, const LatticeCamera& camera, double factor,
                     double at_x, double at_y);
LatticeCamera panned(const LatticeFrame& frame, LatticeCamera camera, double dx, double dy);
// On a cell of a row that has `cells` of them, at the size at which its value is read.
LatticeCamera on_cell(const LatticeFrame& frame, std::size_t row, std::uint64_t cell,
                      std::uint64_t cells);
// On the way from one to the other, which looks straight; `share` from 0 to 1.
LatticeCamera between(const LatticeFrame& frame, const LatticeCamera& from, const LatticeCamera& to,
                      double share);

}  // namespace lab::session
