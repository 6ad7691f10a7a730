#include "analysis/lineage/work.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

namespace lab::analysis {
namespace {

using machine::ActionKind;
using machine::Node;

// The values and all that went into them.
std::vector<bool> parts_of(const machine::Lineage& lineage, std::span<const Node> values) {
    std::vector<bool> parts(lineage.size());
    std::vector<Node> left(values.begin(), values.end());
    while (!left.empty()) {
        const Node node = left.back();
        left.pop_back();
        if (node == 0 || node == machine::kUnwritten || parts[node]) continue;
        parts[node] = true;
        if (lineage[node].is_input) continue;
        left.push_back(lineage[node].left);
        left.push_back(lineage[node].right);
    }
    return parts;
}

std::uint64_t depth_of(const machine::Lineage& lineage, const std::vector<bool>& parts) {
    std::vector<std::uint64_t> depths(parts.size());
    const auto depth = [&](Node node) {
        return node == machine::kUnwritten ? std::uint64_t{0} : depths[node];
    };
    std::uint64_t most = 0;
    for (Node node = 1; node < parts.size(); ++node) {  // parts are older than what is made of them
        if (!parts[node] || lineage[node].is_input) continue;
        depths[node] = 1 + std::max(depth(lineage[node].left), depth(lineage[node].right));
        most = std::max(most, depths[node]);
    }
    return most;
}

}  // namespace

Work work_of(const machine::Run& run, std::span<const Node> values) {
    const machine::Lineage& lineage = run.machine().lineage();
    const std::vector<bool> parts = parts_of(lineage, values);
    const auto is_part = [&](Node node) {
        return node != 0 && node != machine::kUnwritten && parts[node];
    };
    Work work;
    work.depth = depth_of(lineage, parts);
    std::set<std::uint64_t> items, groups;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        if (action.kind == ActionKind::barrier || action.kind == ActionKind::collective) continue;
        const machine::Context& context = run.machine().context(action.launch);
        const bool local = context.objects[action.object].space == machine::Space::local;
        const std::span<const machine::Access> accesses = run.trace().accesses(action);
        std::uint64_t lanes = action.mask;
        std::size_t in_lane = 0;  // accesses of the lane so far
        for (const machine::Access& access : accesses) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            if (++in_lane == action.count) {
                lanes &= lanes - 1;
                in_lane = 0;
            }
            if (!is_part(access.node)) continue;
            if (action.kind == ActionKind::load) {
                work.local_loads += local ? 1 : 0;
            } else if (!lineage[access.node].is_input) {
                groups.insert(action.group);
                items.insert(std::uint64_t{action.group} * context.local +
                             std::uint64_t{action.warp} * context.lanes + lane);
            }
        }
    }
    work.items = items.size();
    work.groups = groups.size();
    return work;
}

}  // namespace lab::analysis
