#include "figures/parts/tree_layout.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace lab::figures {
namespace {

class Placer {
  public:
    Placer(const analysis::LineageTree& tree, std::size_t most) : tree_(tree), most_(most) {}

    TreePlaces make() {
        const std::size_t shown = std::min(tree_.roots.size(), kMostRoots);
        made_.roots_left_out = tree_.roots.size() - shown;
        for (std::size_t i = 0; i < shown; ++i) {
            made_.roots.push_back(made_.nodes.size());
            add(tree_.roots[i].node, 0);
        }
        std::size_t leaves = shown;
        while (!open_.empty() && leaves < most_) {
            const std::size_t index = std::get<2>(open_.top());
            open_.pop();
            open(index);
            ++leaves;
        }
        for (const std::size_t root : made_.roots)
            place(root);
        return std::move(made_);
    }

  private:
    // What has most below it comes first, then what is nearer to its root, then what is older.
    using Rank = std::tuple<std::uint64_t, std::size_t, std::size_t>;
    struct Less {
        bool operator()(const Rank& a, const Rank& b) const {
            const auto& [leaves_a, depth_a, at_a] = a;
            const auto& [leaves_b, depth_b, at_b] = b;
            return std::tuple(leaves_a, depth_b, at_b) < std::tuple(leaves_b, depth_a, at_a);
        }
    };

    std::size_t add(std::size_t node, std::size_t depth) {
        const analysis::TreeNode& tree_node = tree_.nodes[node];
        PlacedNode& placed_node = made_.nodes.emplace_back();
        placed_node.node = node;
        placed_node.depth = depth;
        placed_node.cut = tree_node.kind == analysis::TreeNode::Kind::combined;
        made_.depth = std::max(made_.depth, depth);
        if (placed_node.cut && tree_node.left != 0 && depth < kMostDepth)
            open_.emplace(tree_node.leaves, depth, made_.nodes.size() - 1);
        return made_.nodes.size() - 1;
    }

    void open(std::size_t index) {
        const analysis::TreeNode& node = tree_.nodes[made_.nodes[index].node];
        const std::size_t depth = made_.nodes[index].depth + 1;
        const std::size_t left = add(node.left, depth), right = add(node.right, depth);
        made_.nodes[index].left = left;
        made_.nodes[index].right = right;
        made_.nodes[index].cut = false;
    }

    // No deeper than kMostDepth.
    float place(std::size_t index) {
        const auto [left, right] = std::pair(made_.nodes[index].left, made_.nodes[index].right);
        if (left == 0) return made_.nodes[index].slot = static_cast<float>(made_.leaves++) + 0.5F;
        const float first = place(left), last = place(right);
        return made_.nodes[index].slot = (first + last) / 2;
    }

    const analysis::LineageTree& tree_;
    const std::size_t most_;
    TreePlaces made_;
    std::priority_queue<Rank, std::vector<Rank>, Less> open_;
};

}  // namespace

TreePlaces place_tree(const analysis::LineageTree& tree, std::size_t most_leaves) {
    return Placer(tree, most_leaves).make();
}

}  // namespace lab::figures
