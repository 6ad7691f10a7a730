#include "analysis/lineage/lineage_tree.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "lang/code/value.h"

namespace lab::analysis {
namespace {

using machine::Lineage;
using machine::Node;

// Leaves below each value. Parts are older than what is made of them.
class Leaves {
  public:
    explicit Leaves(const Lineage& lineage) : lineage_(lineage) {}

    std::uint64_t of(Node root) {
        std::vector<Node> left{root};
        while (!left.empty()) {
            const Node node = left.back();
            if (counts_.contains(node)) {
                left.pop_back();
            } else if (node == 0 || node == machine::kUnwritten || lineage_[node].is_input) {
                counts_[node] = 1;
            } else {
                const auto a = counts_.find(lineage_[node].left);
                const auto b = counts_.find(lineage_[node].right);
                if (a != counts_.end() && b != counts_.end()) {
                    counts_[node] = saturated_sum(a->second, b->second);
                } else {
                    left.push_back(lineage_[node].left);
                    left.push_back(lineage_[node].right);
                }
            }
        }
        return counts_[root];
    }

  private:
    const Lineage& lineage_;
    std::map<Node, std::uint64_t> counts_;
};

using Times = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

TreeNode node_of(const machine::Run& run, const Ancestry::Entry& entry, const Times& times,
                 Leaves& leaves) {
    TreeNode node;
    node.value = entry.value;
    if (entry.node == machine::kUnwritten) {
        node.kind = TreeNode::Kind::unwritten;
        return node;
    }
    if (entry.node == 0) return node;
    const machine::Origin& origin = run.machine().lineage()[entry.node];
    node.leaves = leaves.of(entry.node);
    if (!origin.is_input) {
        node.kind = TreeNode::Kind::combined;
        return node;
    }
    node.kind = TreeNode::Kind::input;
    node.name = text_of(run.machine(), MemoryCell{false, 0, 0, origin.buffer, origin.index});
    const auto found = times.find({origin.buffer, origin.index});
    node.times = found == times.end() ? 1 : found->second;
    return node;
}

// What lay in a cell before anything ran.
std::string initial_value(const machine::Machine& machine, const MemoryCell& cell) {
    const machine::Buffer& buffer = machine.job().buffers[cell.array];
    const std::size_t size = lang::info(buffer.element).bytes;
    if ((cell.index + 1) * size > buffer.initial.size()) return {};
    std::uint64_t bits = 0;
    std::memcpy(&bits, buffer.initial.data() + cell.index * size, size);
    return lang::text_of(lang::canonical(buffer.element, bits), buffer.element);
}

}  // namespace

LineageTree lineage_tree(const machine::Run& run, std::span<const RootValue> roots,
                         std::size_t most) {
    const Lineage& lineage = run.machine().lineage();
    std::vector<Node> values;
    for (const RootValue& root : roots)
        values.push_back(root.node);
    const Composition composition = composition_of(lineage, values);
    Times times;
    LineageTree tree;
    tree.unwritten = composition.unwritten;
    for (const Ingredient& each : composition.inputs) {
        times[{each.buffer, each.index}] = each.times;
        if (each.times > 1) ++tree.repeated;
    }
    Leaves leaves(lineage);
    const std::size_t each =
        std::max<std::size_t>(most / std::max<std::size_t>(roots.size(), 1), 3);
    for (const RootValue& root : roots) {
        const Ancestry ancestry = ancestry_of(run, root.node, each);
        const std::size_t base = tree.nodes.size();
        tree.roots.push_back({base, root.cell});
        for (const Ancestry::Entry& entry : ancestry.entries) {
            TreeNode node = node_of(run, entry, times, leaves);
            if (entry.left != 0) {
                node.left = base + entry.left;
                node.right = base + entry.right;
            }
            tree.nodes.push_back(std::move(node));
        }
    }
    return tree;
}

std::vector<LostInput> lost_inputs(const machine::Run& run, std::span<const MemoryCell> result,
                                   std::span<const Ingredient> missing) {
    std::vector<LostInput> inputs;
    for (const Ingredient& each : missing) {
        LostInput& one = inputs.emplace_back();
        const MemoryCell cell{false, 0, 0, each.buffer, each.index};
        one.name = text_of(run.machine(), cell);
        one.value = initial_value(run.machine(), cell);
    }
    const std::vector<Loss> losses = losses_of(run, result, missing);
    for (std::size_t i = 0; i < std::min(losses.size(), inputs.size()); ++i) {
        inputs[i].kind = losses[i].kind;
        inputs[i].cell = text_of(run.machine(), losses[i].cell);
        inputs[i].stored = losses[i].stored;
        inputs[i].read = losses[i].read;
        inputs[i].overwritten = losses[i].overwritten;
        inputs[i].explained = true;
    }
    return inputs;
}

}  // namespace lab::analysis
