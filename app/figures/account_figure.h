// Which elements of the input a cell holds, each as a cell: in it, not in it, in it twice.
#pragma once

#include "analysis/lineage.h"
#include "figures/figure_page.h"
namespace lab::figures {

// `whole`: each should be in it once, so missing ones are lost. With min and max, being in it twice
// does no harm.
struct AccountFigureOptions {
    FigureOptions figure;
    bool whole = false;
    bool chooses = false;
    bool row = false;  // the inputs are the cells of the step view's first row
};

Scene account_figure(const analysis::CellAccount& account, const AccountFigureOptions& options,
                     const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
