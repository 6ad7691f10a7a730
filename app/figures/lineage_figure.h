// The lineage tree: a result at the top, its parts below, the inputs at the bottom; missing inputs
// stand apart.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/lineage.h"
#include "figures/figure_page.h"
namespace lab::figures {

// Large trees are cut: a triangle stands for a number of inputs.
Scene lineage_figure(const analysis::LineageTree& tree, const RunSubject& subject,
                     const FigureOptions& options, const Fonts& fonts, const Translations& tr);

// Chooses the nodes of a lineage tree that a picture shows, and where each stands.

struct PlacedNode {
    std::size_t node = 0;  // of LineageTree::nodes
    std::size_t depth = 0;
    float slot = 0;                   // its middle, in widths of a leaf from the left
    std::size_t left = 0, right = 0;  // of TreePlaces::nodes; 0: none
    bool cut = false;                 // it was made of two, which are not shown
};

struct TreePlaces {
    std::vector<PlacedNode> nodes;   // parents before their parts
    std::vector<std::size_t> roots;  // of nodes
    std::size_t leaves = 0;          // slots in all
    std::size_t depth = 0;           // of the deepest
    std::size_t roots_left_out = 0;
};

// At most `most_leaves` (or as many as there are roots to show, if those are more) at the lower
// ends. What has most below it is opened first, so that the trees are cut where they are alike.
TreePlaces place_tree(const analysis::LineageTree& tree, std::size_t most_leaves);

// Draws which elements of the input a cell holds, each as a cell: in it, not in it, in it twice.
// `whole`: each should be in it once, so missing ones are lost. With min and max, being in it twice
// does no harm.
struct AccountFigureOptions {
    FigureOptions figure;
    bool whole = false;
    bool chooses = false;
    bool row = false;  // the inputs are the cells of the step view's first row
};

Scene account_figure(const analysis::CellCoverage& account, const AccountFigureOptions& options,
                     const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
