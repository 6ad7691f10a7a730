#include "analysis/lineage/lineage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "lang/code/value.h"
#include "machine/schedule.h"

namespace lab::analysis {
namespace {

using machine::Access;
using machine::Action;
using machine::Lineage;
using machine::Machine;
using machine::Node;
using machine::ObjectInfo;
using machine::Scalar;
using machine::State;
using nlohmann::json;

bool is_combined(const Lineage& lineage, Node node) {
    return node != 0 && node != machine::kUnwritten && !lineage[node].is_input;
}

CellContents read(const std::byte* from, Scalar type, bool written, Node node) {
    CellContents contents{type, 0, written, written ? node : machine::kUnwritten};
    std::memcpy(&contents.bits, from, lang::info(type).bytes);
    contents.bits = lang::canonical(type, contents.bits);
    return contents;
}

std::optional<CellContents> in_buffer(const Machine& machine, const State& state,
                                      const MemoryCell& cell) {
    if (cell.array >= state.memory.size()) return std::nullopt;
    const machine::PagedBuffer& buffer = state.memory[cell.array];
    const Scalar type = machine.job().buffers[cell.array].element;
    const unsigned size = lang::info(type).bytes;
    if (cell.index >= buffer.bytes / size) return std::nullopt;
    const machine::Page& page = *buffer.pages[cell.index * size >> machine::kPageBits];
    const std::uint64_t index = cell.index * size & (machine::kPageBytes - 1);
    return read(page.bytes.data() + index, type, page.written.all(index, size),
                page.nodes.empty() ? 0 : page.nodes[index >> buffer.shift]);
}

std::optional<CellContents> in_group(const Machine& machine, const State& state,
                                     const MemoryCell& cell) {
    if (state.launch != cell.launch) return std::nullopt;
    const auto slot = machine::slot_of(state, cell.group);
    const auto& objects = machine.context(cell.launch).objects;
    if (!slot || cell.array >= objects.size()) return std::nullopt;
    const ObjectInfo& object = objects[cell.array];
    const unsigned size = lang::info(object.element).bytes;
    if (cell.index >= object.bytes / size) return std::nullopt;
    const machine::Block& block = state.groups[*slot]->local;
    const std::uint64_t offset = cell.index * size, at = object.base + offset;
    return read(block.bytes.data() + at, object.element, block.written.all(at, size),
                block.nodes.empty() ? 0 : block.nodes[object.node_base + (offset >> object.shift)]);
}

// What values were when they were first read or stored; of inputs, at the beginning.
class Values {
  public:
    explicit Values(const machine::Run& run) : run_(run) {
        for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
            const Action& action = run.trace().action(time);
            for (const Access& access : run.trace().accesses(action))
                if (access.node != 0) seen_.try_emplace(access.node, access.after, action.type);
        }
    }

    std::string of(Node node) const {
        const Lineage& lineage = run_.machine().lineage();
        if (node == machine::kUnwritten) return {};
        if (node != 0 && lineage[node].is_input) {
            const machine::Buffer& buffer = run_.machine().job().buffers[lineage[node].buffer];
            const unsigned size = lang::info(buffer.element).bytes;
            std::uint64_t bits = 0;
            std::memcpy(&bits, buffer.initial.data() + std::size_t{lineage[node].index} * size,
                        size);
            return lang::text_of(lang::canonical(buffer.element, bits), buffer.element);
        }
        const auto found = seen_.find(node);
        return found == seen_.end() ? std::string()
                                    : lang::text_of(found->second.first, found->second.second);
    }

  private:
    const machine::Run& run_;
    std::unordered_map<Node, std::pair<std::uint64_t, Scalar>> seen_;
};

// How many entries the whole tree of each value would have. Parts are older than what is made of
// them, so that the oldest come first.
std::unordered_map<Node, std::uint64_t> tree_sizes(const Lineage& lineage, Node root) {
    std::map<Node, std::uint64_t> sizes;
    std::vector<Node> left{root};
    while (!left.empty()) {
        const Node node = left.back();
        left.pop_back();
        if (!sizes.emplace(node, 1).second || !is_combined(lineage, node)) continue;
        left.push_back(lineage[node].left);
        left.push_back(lineage[node].right);
    }
    for (auto& [node, size] : sizes)
        if (is_combined(lineage, node)) {
            const auto& [is_input, buffer, index, a, b] = lineage[node];
            size = saturated_sum(1, saturated_sum(sizes.at(a), sizes.at(b)));
        }
    return {sizes.begin(), sizes.end()};
}

std::string input_text(const Machine& machine, std::uint32_t buffer, std::uint64_t index) {
    return fmt::format("{}[{}]", buffer_name(machine, buffer), index);
}

}  // namespace

std::string buffer_name(const Machine& machine, std::size_t buffer) {
    const auto& all = machine.job().buffers;
    const std::string& name = all[buffer].name;
    std::size_t number = 1;
    for (std::size_t i = 0; i < buffer; ++i)
        if (all[i].name == name) ++number;
    return number == 1 ? name : fmt::format("{}#{}", name, number);
}

std::string text_of(const Machine& machine, const MemoryCell& cell) {
    if (!cell.local) return input_text(machine, cell.array, cell.index);
    return fmt::format("{}/{}[{}]", machine.context(cell.launch).objects[cell.array].name,
                       cell.group, cell.index);
}

MemoryCell cell_of(const Machine& machine, const Action& action, const Access& access) {
    const ObjectInfo& object = machine.context(action.launch).objects[action.object];
    MemoryCell cell;
    cell.index = std::uint64_t{access.index} * lang::info(action.type).bytes >> object.shift;
    cell.local = object.space == machine::Space::local;
    cell.array = cell.local ? action.object : static_cast<std::uint32_t>(object.buffer);
    if (!cell.local) return cell;
    cell.launch = action.launch;
    cell.group = action.group;
    return cell;
}

std::optional<CellContents> contents_of(const Machine& machine, const State& state,
                                        const MemoryCell& cell) {
    return cell.local ? in_group(machine, state, cell) : in_buffer(machine, state, cell);
}

Composition composition_of(const Lineage& lineage, std::span<const Node> values) {
    // The youngest first: whatever a value went into was counted before it.
    std::map<Node, std::uint64_t, std::greater<>> counts;
    for (const Node value : values)
        if (value != 0) counts[value] = saturated_sum(counts[value], 1);
    Composition composition;
    for (auto position = counts.begin(); position != counts.end(); ++position) {
        const auto [node, times] = *position;
        if (node == machine::kUnwritten) {
            composition.unwritten = times;
            continue;
        }
        const machine::Origin& origin = lineage[node];
        if (origin.is_input) {
            composition.inputs.push_back({origin.buffer, origin.index, times});
            continue;
        }
        for (const Node part : {origin.left, origin.right}) {
            if (part == machine::kUnwritten)  // the largest number of all, but no youngest value
                composition.unwritten = saturated_sum(composition.unwritten, times);
            else if (part != 0)
                counts[part] = saturated_sum(counts[part], times);
        }
    }
    std::sort(composition.inputs.begin(), composition.inputs.end(),
              [](const Ingredient& a, const Ingredient& b) {
                  return std::pair(a.buffer, a.index) < std::pair(b.buffer, b.index);
              });
    return composition;
}

Account account_of(const Composition& composition, std::uint32_t buffer, std::uint64_t count) {
    Account account;
    account.unwritten = composition.unwritten;
    std::vector<std::uint64_t> times(count);
    for (const Ingredient& each : composition.inputs)
        if (each.buffer == buffer && each.index < count) times[each.index] = each.times;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Ingredient one{buffer, static_cast<std::uint32_t>(i), times[i]};
        if (times[i] == 0) account.missing.push_back(one);
        if (times[i] > 1) account.repeated.push_back(one);
    }
    return account;
}

Ancestry ancestry_of(const machine::Run& run, Node value, std::size_t most) {
    const Lineage& lineage = run.machine().lineage();
    const Values values(run);
    Ancestry ancestry;
    ancestry.entries.push_back({value, values.of(value), 0, 0, false});
    // Row by row, so that what is cut is what is farthest from the root.
    for (std::size_t i = 0; i < ancestry.entries.size(); ++i) {
        const Node node = ancestry.entries[i].node;
        if (!is_combined(lineage, node)) continue;
        if (ancestry.entries.size() + 2 > most) {
            ancestry.entries[i].cut = true;
            continue;
        }
        ancestry.entries[i].left = ancestry.entries.size();
        ancestry.entries[i].right = ancestry.entries.size() + 1;
        for (const Node part : {lineage[node].left, lineage[node].right})
            ancestry.entries.push_back({part, values.of(part), 0, 0, false});
    }
    const std::uint64_t all = tree_sizes(lineage, value).at(value);
    ancestry.left_out = all == kCountless ? kCountless : all - ancestry.entries.size();
    return ancestry;
}

json json_of(const Machine& machine, const std::vector<Ingredient>& inputs) {
    json object = json::array();
    for (const Ingredient& each : inputs)
        object.push_back(
            {{"input", input_text(machine, each.buffer, each.index)}, {"times", each.times}});
    return object;
}

json json_of(const Machine& machine, const Ancestry& ancestry) {
    const Lineage& lineage = machine.lineage();
    std::vector<json> objects(ancestry.entries.size());
    for (std::size_t i = objects.size(); i-- > 0;) {  // parts stand behind what is made of them
        const Ancestry::Entry& entry = ancestry.entries[i];
        json& one = objects[i] = json::object();
        if (!entry.value.empty()) one["value"] = entry.value;
        if (entry.node == machine::kUnwritten)
            one["unwritten"] = true;
        else if (entry.node != 0 && lineage[entry.node].is_input)
            one["input"] =
                input_text(machine, lineage[entry.node].buffer, lineage[entry.node].index);
        if (entry.cut) one["cut"] = true;
        if (entry.left == 0) continue;
        one["of"] = json::array();
        one["of"].push_back(std::move(objects[entry.left]));
        one["of"].push_back(std::move(objects[entry.right]));
    }
    return std::move(objects.front());
}

}  // namespace lab::analysis
