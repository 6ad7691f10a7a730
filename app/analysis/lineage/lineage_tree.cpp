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
    TreeNode made;
    made.value = entry.value;
    if (entry.node == machine::kUnwritten) {
        made.kind = TreeNode::Kind::unwritten;
        return made;
    }
    if (entry.node == 0) return made;
    const machine::Origin& origin = run.machine().lineage()[entry.node];
    made.leaves = leaves.of(entry.node);
    if (!origin.is_input) {
        made.kind = TreeNode::Kind::combined;
        return made;
    }
    made.kind = TreeNode::Kind::input;
    made.name = text_of(run.machine(), MemoryCell{false, 0, 0, origin.buffer, origin.index});
    const auto found = times.find({origin.buffer, origin.index});
    made.times = found == times.end() ? 1 : found->second;
    return made;
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
    LineageTree made;
    made.unwritten = composition.unwritten;
    for (const Ingredient& each : composition.inputs) {
        times[{each.buffer, each.index}] = each.times;
        if (each.times > 1) ++made.repeated;
    }
    Leaves leaves(lineage);
    const std::size_t each =
        std::max<std::size_t>(most / std::max<std::size_t>(roots.size(), 1), 3);
    for (const RootValue& root : roots) {
        const Ancestry ancestry = ancestry_of(run, root.node, each);
        const std::size_t base = made.nodes.size();
        made.roots.push_back({base, root.cell});
        for (const Ancestry::Entry& entry : ancestry.entries) {
            TreeNode node = node_of(run, entry, times, leaves);
            if (entry.left != 0) {
                node.left = base + entry.left;
                node.right = base + entry.right;
            }
            made.nodes.push_back(std::move(node));
        }
    }
    return made;
}

std::vector<LostInput> lost_inputs(const machine::Run& run, std::span<const MemoryCell> result,
                                   std::span<const Ingredient> missing) {
    std::vector<LostInput> made;
    for (const Ingredient& each : missing) {
        LostInput& one = made.emplace_back();
        const MemoryCell cell{false, 0, 0, each.buffer, each.index};
        one.name = text_of(run.machine(), cell);
        one.value = initial_value(run.machine(), cell);
    }
    const std::vector<Loss> losses = losses_of(run, result, missing);
    for (std::size_t i = 0; i < std::min(losses.size(), made.size()); ++i) {
        made[i].kind = losses[i].kind;
        made[i].cell = text_of(run.machine(), losses[i].cell);
        made[i].stored = losses[i].stored;
        made[i].read = losses[i].read;
        made[i].overwritten = losses[i].overwritten;
        made[i].explained = true;
    }
    return made;
}

}  // namespace lab::analysis
