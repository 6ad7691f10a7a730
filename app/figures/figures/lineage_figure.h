// The lineage tree: a result on top, what it was made of below it, the inputs at the bottom; and
// apart those that should be in it and are not.
#pragma once

#include "analysis/lineage/lineage_tree.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

// Trees too large to be read are cut: a triangle stands for so many inputs.
Scene lineage_figure(const analysis::LineageTree& tree, const RunSubject& subject,
                     const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
