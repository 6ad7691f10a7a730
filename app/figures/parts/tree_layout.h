// Which nodes of a lineage tree a picture shows, and where each stands.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/lineage/lineage_tree.h"

namespace lab::figures {

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

inline constexpr std::size_t kMostDepth = 14, kMostRoots = 12;

}  // namespace lab::figures
