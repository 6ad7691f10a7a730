// The step view's figure: a row of cells per pass, what was combined from where, and by which
// items.
#pragma once

#include <cstddef>
#include <limits>

#include "analysis/rows/step_table.h"
#include "base/translations.h"
#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

inline constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

struct PassFigureOptions {
    // How many rows are shown, including the start; the last of them is marked as current. The size
    // of the scene and all positions do not depend on it.
    std::size_t shown = kAllRows;
    // Points to fit into. Cells get narrower until their values would be unreadable, then the scene
    // gets wider; it is narrower if less is enough.
    float width = 1000;
    // A hard limit of the width: the texts beside the rows are shortened for it.
    float most_width = std::numeric_limits<float>::infinity();
    bool announce = false;  // the row after the shown ones faintly, without values
    bool legend = true;
    // For a file: with the variant's title and the array's shape above, and what races did to the
    // result below.
    bool heading = false;
    float text_scale = 1;  // Palette::text_scale
    // The device's rows, if known: a cell's tooltip shows its value beside the run's.
    const analysis::StepTable* device = nullptr;
};

// Above this many cells in a row, cells are marks without text.
inline constexpr std::size_t kMostFullCells = 64;

Scene pass_figure(const analysis::StepTable& table, const PassFigureOptions& options,
                  const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
