// The visible part of a lattice and its place on the screen, shared by its painters.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/rows/lattice.h"
#include "figures/painters/png_pixels.h"
#include "figures/parts/run_text/lattice_text.h"
#include "gui/shell/ui.h"
#include "session/lattice/lattice_picture.h"

namespace lab::gui {

// From 0 to 1, smoothly, as x goes from one to the other: for what appears with the zoom.
inline float fades_in(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return static_cast<float>(t * t * (3 - 2 * t));
}

struct LatticeViewport {
    const Ui& ui;
    const analysis::Lattice& lattice;
    const std::vector<figures::RowLabel>& labels;
    ImVec2 at, size;             // where cells are seen, pixels
    float labels_at = 0;         // left edge of the labels beside the rows
    double left = 0, width = 0;  // of whole rows
    double top = 0, row = 1;     // upper edge of the first row, and the height of each

    float end() const { return at.x + size.x; }
    double points(double pixels) const { return pixels / ui.scale; }
    std::size_t cells(std::size_t of) const { return lattice.rows[of].cells.size(); }
    double cell_width(std::size_t of) const {
        return width / static_cast<double>(std::max<std::size_t>(cells(of), 1));
    }
    double cell_left(std::size_t of, double cell) const { return left + cell * cell_width(of); }
    double cell_middle(std::size_t of, double cell) const { return cell_left(of, cell + 0.5); }

    // Cells stand at the lower end of their row, over a little room for what ends the pass.
    float cell_bottom(std::size_t of) const {
        const double below = std::min(row * 0.16, double{ui.px(10)});
        return static_cast<float>(top + row * static_cast<double>(of + 1) - below);
    }
    float cell_height() const {
        const double share = 0.84 - 0.2 * fades_in(3, 16, points(row));
        return static_cast<float>(std::min(row * share, double{ui.px(36)}));
    }
    float cell_top(std::size_t of) const { return cell_bottom(of) - cell_height(); }
    float row_top(std::size_t of) const {
        return static_cast<float>(top + row * static_cast<double>(of));
    }

    std::size_t first_row() const {
        return static_cast<std::size_t>(std::clamp(std::floor((at.y - top) / row), 0.0,
                                                   static_cast<double>(lattice.rows.size())));
    }
    std::size_t end_row() const {
        return static_cast<std::size_t>(std::clamp(std::ceil((at.y + size.y - top) / row), 0.0,
                                                   static_cast<double>(lattice.rows.size())));
    }
    std::uint64_t first_cell(std::size_t of) const { return cell_at(of, at.x); }
    std::uint64_t last_cell(std::size_t of) const { return cell_at(of, end()); }
    std::uint64_t cell_at(std::size_t of, double x) const {
        const double cell = std::floor((x - left) / cell_width(of));
        return static_cast<std::uint64_t>(
            std::clamp(cell, 0.0, static_cast<double>(std::max<std::size_t>(cells(of), 1)) - 1));
    }
};

// What the marks stand for, in as many lines as `width` needs, from its upper left corner on,
// pixels; its height. Into nothing where only that is asked for.
float lattice_legend(const Ui& ui, const analysis::Lattice& lattice, ImDrawList* into, ImVec2 from,
                     float width);

// Behind the cells: what orders the rows.
void paint_boundaries(const LatticeViewport& viewport, ImDrawList& into);
// Over the cells: few written ones among many too narrow to be seen.
void paint_pins(const LatticeViewport& viewport, ImDrawList& into);
// From the cells of a row to those of the next; who is at work.
void paint_arcs(const LatticeViewport& viewport, ImDrawList& into);
// Over the cells: their values, where there is room.
void paint_values(const LatticeViewport& viewport, ImDrawList& into);
// Beside the rows, and above them all.
void paint_labels(const LatticeViewport& viewport, ImDrawList& into, float width);
void paint_numbers(const LatticeViewport& viewport, ImDrawList& into, float height);
// How wide the words beside the rows are at most, points.
float labels_width(const Ui& ui, const std::vector<figures::RowLabel>& labels);

// The lattice in a rectangle of that size at the cursor, with all that hands do there.
void lattice_canvas(Ui& ui, session::LatticePicture& picture, ImVec2 size);

}  // namespace lab::gui
