// Draws the cells of a lattice with GL: a texture of cell states, and instanced quads with the
// shaders of shaders/.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "analysis/rows/lattice.h"
#include "base/problem.h"
#include "figures/scene/palette.h"

namespace lab::gui {

// Where a row is to be drawn, in pixels of the window.
struct LatticeStrip {
    std::size_t row = 0;
    double left = 0, width = 0;  // of the whole row, which may reach far beyond the view
    float top = 0, bottom = 0;   // of its cells
};

class LatticeGl {
  public:
    LatticeGl();  // needs a current GL context; a failure is kept in problem()
    ~LatticeGl();
    LatticeGl(const LatticeGl&) = delete;
    LatticeGl& operator=(const LatticeGl&) = delete;

    const std::optional<Problem>& problem() const { return problem_; }
    void set_cells(const analysis::Lattice& lattice);

    // Has the strips drawn where `into` stands now, within its clip rectangle. `scale`: pixels a
    // point. They are drawn when the frame is rendered, once.
    void draw(ImDrawList& into, std::vector<LatticeStrip> strips, const figures::Palette& palette,
              float scale);

  private:
    void build();
    void set_colours() const;
    void render(const ImDrawCmd& command) const;
    void render_strip(const LatticeStrip& strip, const ImVec4& clip) const;

    std::optional<Problem> problem_;
    unsigned program_ = 0, texture_ = 0, vertices_ = 0;
    std::vector<int> first_blocks_;  // of each row
    std::vector<int> cell_counts_;   // likewise
    std::vector<int> places_;        // of uniforms, in the order of a table
    std::vector<LatticeStrip> strips_;
    figures::Palette palette_;
    float scale_ = 1;
};

}  // namespace lab::gui
