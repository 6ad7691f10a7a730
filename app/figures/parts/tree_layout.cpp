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
            const std::size_t at = std::get<2>(open_.top());
            open_.pop();
            open(at);
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
        const analysis::TreeNode& of = tree_.nodes[node];
        PlacedNode& made = made_.nodes.emplace_back();
        made.node = node;
        made.depth = depth;
        made.cut = of.kind == analysis::TreeNode::Kind::combined;
        made_.depth = std::max(made_.depth, depth);
        if (made.cut && of.left != 0 && depth < kMostDepth)
            open_.emplace(of.leaves, depth, made_.nodes.size() - 1);
        return made_.nodes.size() - 1;
    }

    void open(std::size_t at) {
        const analysis::TreeNode& of = tree_.nodes[made_.nodes[at].node];
        const std::size_t depth = made_.nodes[at].depth + 1;
        const std::size_t left = add(of.left, depth), right = add(of.right, depth);
        made_.nodes[at].left = left;
        made_.nodes[at].right = right;
        made_.nodes[at].cut = false;
    }

    // No deeper than kMostDepth.
    float place(std::size_t at) {
        const auto [left, right] = std::pair(made_.nodes[at].left, made_.nodes[at].right);
        if (left == 0) return made_.nodes[at].slot = static_cast<float>(made_.leaves++) + 0.5F;
        const float first = place(left), last = place(right);
        return made_.nodes[at].slot = (first + last) / 2;
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
