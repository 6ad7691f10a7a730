// The step view's figure: a row of cells a pass, what was combined from where, and by which items.
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
    // How many rows are shown, the start included; the last of them is marked as where one is.
    // The scene keeps its size, and what is shown its place, whatever this is.
    std::size_t shown = kAllRows;
    // Points to fit into. Cells get narrower until their values would be unreadable, then the
    // scene is wider; it is narrower where less will do.
    float width = 1000;
    // … and not to be wider than, whatever the cells need: the words beside the rows are shortened.
    float most_width = std::numeric_limits<float>::infinity();
    bool legend = true;
    // For a file, which stands alone: the variant's title and the array's shape on top, and below
    // what races did to the result.
    bool heading = false;
    float text_scale = 1;  // Palette::text_scale
    // The device's rows, where it has been asked: a cell's tip names its value beside the run's.
    const analysis::StepTable* device = nullptr;
};

// Above this many cells in a row, cells are marks without text.
inline constexpr std::size_t kMostFullCells = 64;

Scene pass_figure(const analysis::StepTable& table, const PassFigureOptions& options,
                  const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
