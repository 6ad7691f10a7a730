// The lineage tree: a result at the top, its parts below, the inputs at the bottom; missing inputs
// stand apart.
#pragma once

#include "analysis/lineage/lineage_tree.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

// Large trees are cut: a triangle stands for a number of inputs.
Scene lineage_figure(const analysis::LineageTree& tree, const RunSubject& subject,
                     const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
