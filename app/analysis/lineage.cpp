#include "analysis/lineage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/rows.h"
#include "base/ranges.h"
#include "lang/code.h"
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

// What lay in a buffer's element before anything ran.
std::string initial_value(const Machine& machine, std::size_t array, std::uint64_t index) {
    const machine::Buffer& buffer = machine.job().buffers[array];
    const std::size_t size = lang::info(buffer.element).bytes;
    if ((index + 1) * size > buffer.initial.size()) return {};
    return text_of(value_in(buffer.initial, index, buffer.element));
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
        if (node != 0 && lineage[node].is_input)
            return initial_value(run_.machine(), lineage[node].buffer, lineage[node].index);
        const auto found = seen_.find(node);
        return found == seen_.end() ? std::string()
                                    : lang::text_of(found->second.first, found->second.second);
    }

  private:
    const machine::Run& run_;
    std::unordered_map<Node, std::pair<std::uint64_t, Scalar>> seen_;
};

// How many leaves the whole tree of each value would have, or how many entries where each
// combination counts as `inner` = 1. Parts are older than what is made of them, so that the oldest
// come first.
std::unordered_map<Node, std::uint64_t> tree_counts(const Lineage& lineage, Node root,
                                                    std::uint64_t inner) {
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
            size = saturated_sum(inner, saturated_sum(sizes.at(a), sizes.at(b)));
        }
    return {sizes.begin(), sizes.end()};
}

std::string input_text(const Machine& machine, std::uint32_t buffer, std::uint64_t index) {
    return buffer_name(machine, buffer) + machine.job().buffers[buffer].shape.at(index);
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
    const ObjectInfo& object = machine.context(cell.launch).objects[cell.array];
    return fmt::format("{}/{}{}", object.name, cell.group, object.shape.at(cell.index));
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
    sort(composition.inputs, [](const Ingredient& a, const Ingredient& b) {
        return std::pair(a.buffer, a.index) < std::pair(b.buffer, b.index);
    });
    return composition;
}

InputCoverage account_of(const Composition& composition, std::uint32_t buffer,
                         std::uint64_t count) {
    InputCoverage account;
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
    const std::uint64_t all = tree_counts(lineage, value, 1).at(value);
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

using Times = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

static TreeNode node_of(const machine::Run& run, const Ancestry::Entry& entry, const Times& times,
                        const std::unordered_map<Node, std::uint64_t>& leaves) {
    TreeNode node;
    node.value = entry.value;
    if (entry.node == machine::kUnwritten) {
        node.kind = TreeNode::Kind::unwritten;
        return node;
    }
    if (entry.node == 0) return node;
    const machine::Origin& origin = run.machine().lineage()[entry.node];
    node.leaves = leaves.at(entry.node);
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

LineageTree lineage_tree(const machine::Run& run, std::span<const RootValue> roots,
                         std::size_t most) {
    const Lineage& lineage = run.machine().lineage();
    const Composition composition = composition_of(lineage, mapped<Node>(roots, &RootValue::node));
    Times times;
    LineageTree tree;
    tree.unwritten = composition.unwritten;
    for (const Ingredient& each : composition.inputs) {
        times[{each.buffer, each.index}] = each.times;
        if (each.times > 1) ++tree.repeated;
    }
    const std::size_t each =
        std::max<std::size_t>(most / std::max<std::size_t>(roots.size(), 1), 3);
    for (const RootValue& root : roots) {
        const Ancestry ancestry = ancestry_of(run, root.node, each);
        const auto leaves = tree_counts(lineage, root.node, 0);
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
        one.value = initial_value(run.machine(), cell.array, cell.index);
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

namespace {

using machine::ActionKind;

// The nodes that went into those given, kUnwritten apart.
struct Reach {
    std::vector<bool> nodes;
    bool unwritten = false;

    Reach(const Lineage& lineage, std::vector<Node> left) : nodes(lineage.size()) {
        while (!left.empty()) {
            const Node node = left.back();
            left.pop_back();
            if (node == machine::kUnwritten) unwritten = true;
            if (node == 0 || node == machine::kUnwritten || nodes[node]) continue;
            nodes[node] = true;
            if (lineage[node].is_input) continue;
            left.push_back(lineage[node].left);
            left.push_back(lineage[node].right);
        }
    }
    // Whether a load of this may have fed the result; of a constant nobody knows.
    bool feeds(Node node) const {
        return node == machine::kUnwritten ? unwritten : node == 0 || nodes[node];
    }
};

std::uint64_t depth_of(const Lineage& lineage, const std::vector<bool>& parts) {
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
    const Lineage& lineage = run.machine().lineage();
    const std::vector<bool> parts = Reach(lineage, {values.begin(), values.end()}).nodes;
    const auto is_part = [&](Node node) {
        return node != 0 && node != machine::kUnwritten && parts[node];
    };
    Work work;
    work.depth = depth_of(lineage, parts);
    std::set<std::uint64_t> items, groups;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Action& action = run.trace().action(time);
        if (action.kind == ActionKind::barrier || action.kind == ActionKind::collective) continue;
        const machine::Context& context = run.machine().context(action.launch);
        const bool local = context.objects[action.object].space == machine::Space::local;
        for_accesses(run.trace(), context, action, [&](std::uint64_t item, const Access& access) {
            if (!is_part(access.node)) return;
            if (action.kind == ActionKind::load) {
                work.local_loads += local ? 1 : 0;
            } else if (!lineage[access.node].is_input) {
                groups.insert(action.group);
                items.insert(item);
            }
        });
    }
    work.items = items.size();
    work.groups = groups.size();
    return work;
}

namespace {

constexpr std::size_t kMostRounds = 16;  // of tracing a lost input; then it was last seen there

// A store or load of a cell, or the exchange that an atomic is.
struct LossTouch {
    std::uint64_t time = 0, item = 0;
    Node node = 0;  // of what was read or written
};

class Tracer {
  public:
    Tracer(const machine::Run& run, std::span<const Ingredient> missing)
        : run_(run), missing_(missing), numbers_(run) {
        for (std::size_t i = 0; i < missing_.size(); ++i)
            lost_[{missing_[i].buffer, missing_[i].index}] |= std::uint64_t{1} << i;
        holds_.resize(run.machine().lineage().size());
        const Lineage& lineage = run.machine().lineage();
        for (Node node = 1; node < holds_.size(); ++node) {  // parts are older than the whole
            const machine::Origin& origin = lineage[node];
            const auto own = lost_.find({origin.buffer, origin.index});
            holds_[node] = !origin.is_input     ? holds(origin.left) | holds(origin.right)
                           : own != lost_.end() ? own->second
                                                : 0;
        }
        last_.resize(missing_.size());
        made_.resize(missing_.size());
        for (std::size_t i = 0; i < missing_.size(); ++i)
            made_[i].input = missing_[i];
    }

    std::vector<Loss> trace(std::span<const MemoryCell> result) {
        forward();
        std::vector<Node> roots;
        for (const MemoryCell& cell : result) {
            const auto found = contents_of(run_.machine(), run_.end(), cell);
            if (found) roots.push_back(found->node);
            result_.insert(key(cell));
            blame(cell, {run_.trace().size(), 0, 0}, false);
        }
        // What is not explained by that may have been lost on its way to a store that came too
        // late itself: so whatever else was stored to the cells that were read counts, too.
        for (std::size_t round = 0; round < kMostRounds; ++round) {
            const std::size_t known = widened_.size();
            backward(Reach(run_.machine().lineage(), roots));
            if (found_ == all()) break;
            widened_.insert(read_.begin(), read_.end());
            if (widened_.size() == known) break;
            for (const Key cell : read_)
                for (const LossTouch& each : stores_[cell])
                    roots.push_back(each.node);
            read_.clear();
            guesses_ = false;
        }
        for (std::size_t i = 0; i < made_.size(); ++i)
            if (((found_ | guessed_) >> i & 1U) == 0) last_seen(i);
        return std::move(made_);
    }

  private:
    using Key = std::uint64_t;
    struct Seen {
        LossTouch touch;
        MemoryCell cell;
        bool stored = false;
    };

    std::uint64_t holds(Node node) const { return node == machine::kUnwritten ? 0 : holds_[node]; }

    Key key(const MemoryCell& cell) {
        const auto [at, news] =
            arrays_.try_emplace({cell.local, cell.launch, cell.group, cell.array}, arrays_.size());
        return std::uint64_t{at->second} << 32U | cell.index;
    }

    template <typename Each>
    void for_accesses(const Action& action, Each each) const {
        analysis::for_accesses(run_.trace(), run_.machine().context(action.launch), action, each);
    }

    bool is_constant(const Action& action) const {
        return run_.machine().context(action.launch).objects[action.object].space ==
               machine::Space::constant;
    }

    // All stores of each cell, and the last that was seen of each input.
    void forward() {
        const machine::Trace& trace = run_.trace();
        for (std::uint64_t time = 0; time < trace.size(); ++time) {
            const Action& action = trace.action(time);
            if (action.count == 0 || is_constant(action)) continue;
            for_accesses(action, [&](std::uint64_t item, const Access& access) {
                const MemoryCell cell = cell_of(run_.machine(), action, access);
                const LossTouch touch{time, item, access.node};
                const bool stores = action.kind != ActionKind::load;
                if (stores) add_store(cell, touch, action.kind);
                for (const std::uint32_t input : machine::set_bits(holds(access.node)))
                    last_[input] = {touch, cell, stores};
            });
        }
    }

    void add_store(const MemoryCell& cell, const LossTouch& touch, ActionKind kind) {
        const Key at = key(cell);
        std::vector<LossTouch>& stores = stores_[at];
        // A compare-exchange that failed stored nothing.
        if (kind == ActionKind::atomic && !stores.empty() && stores.back().node == touch.node)
            return;
        stores.push_back(touch);
        ever_[at] |= holds(touch.node);
    }

    // From the last action to the first: which cells and work-items the result still waits for.
    void backward(const Reach& reach) {
        const machine::Trace& trace = run_.trace();
        std::uint32_t launch = ~0U;
        wanted_ = result_;
        for (std::uint64_t time = trace.size(); time-- > 0 && found_ != all();) {
            const Action& action = trace.action(time);
            if (action.launch != launch) {  // work-items begin again
                items_.clear();
                groups_.clear();
                launch = action.launch;
            }
            if (action.kind == ActionKind::collective) exchange(action);
            if (action.count == 0 || is_constant(action)) continue;
            for_accesses(action, [&](std::uint64_t item, const Access& access) {
                const MemoryCell cell = cell_of(run_.machine(), action, access);
                if (action.kind == ActionKind::load)
                    load(cell, {time, item, access.node}, reach);
                else
                    store(cell, {time, item, access.node}, action);
            });
        }
    }

    void store(const MemoryCell& cell, const LossTouch& touch, const Action& action) {
        const Key at = key(cell);
        if (!wanted_.contains(at) && !widened_.contains(at)) return;
        items_.insert(touch.item);
        groups_.insert(action.group);
        if (action.kind == ActionKind::store) wanted_.erase(at);  // an atomic reads, too
    }

    void load(const MemoryCell& cell, const LossTouch& touch, const Reach& reach) {
        if (!items_.contains(touch.item) || !reach.feeds(touch.node)) return;
        wanted_.insert(key(cell));
        read_.insert(key(cell));
        blame(cell, touch, true);
    }

    // What one item of a group gave, all of them may have.
    void exchange(const Action& action) {
        if (!groups_.contains(action.group)) return;
        const machine::Context& context = run_.machine().context(action.launch);
        for (const std::uint32_t lane : machine::set_bits(action.mask))
            items_.insert(context.item(action.group, action.warp, lane));
    }

    // `read` fed the result with what `cell` held, which was none of the inputs in question: if
    // the cell held one at another time, that is how it was lost. `is_read`: not only the result.
    void blame(const MemoryCell& cell, const LossTouch& read, bool is_read) {
        const Key at = key(cell);
        const auto ever = ever_.find(at);
        std::uint64_t held = (ever == ever_.end() ? 0 : ever->second) | from_start(cell);
        held &= ~holds(read.node) & ~found_;
        for (; held != 0; held &= held - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(held));
            const std::uint64_t bit = std::uint64_t{1} << i;
            const Story story = story_of(cell, bit, read, is_read);
            if (story.over == nullptr && story.late == nullptr) continue;
            if (!story.raced && (!guesses_ || (guessed_ & bit) != 0)) continue;
            (story.raced ? found_ : guessed_) |= bit;
            add_loss(cell, story, read, is_read, made_[i]);
        }
    }

    // What became of an input in a cell, before and after a read that did not find it there.
    struct Story {
        const LossTouch* put = nullptr;   // the last that brought it before …
        const LossTouch* over = nullptr;  // … and the one after that took it away
        const LossTouch* late = nullptr;  // the first that brought it after
        bool raced = false;               // nothing but the schedule put these into that order
    };

    Story story_of(const MemoryCell& cell, std::uint64_t bit, const LossTouch& read, bool is_read) {
        Story story;
        bool held = (from_start(cell) & bit) != 0;
        for (const LossTouch& each : stores_[key(cell)]) {
            const bool has = (holds(each.node) & bit) != 0;
            if (each.time > read.time) {
                if (has && story.late == nullptr) story.late = &each;
                continue;
            }
            if (has) story.put = &each;
            if (held && !has) story.over = &each;
            held = has;
        }
        const bool overwritten = story.over != nullptr && story.put != nullptr &&
                                 unordered(cell, *story.put, *story.over);
        const bool early = is_read && story.late != nullptr && unordered(cell, read, *story.late);
        story.raced = overwritten || early;
        if (early && !overwritten) story.over = nullptr;
        return story;
    }

    void add_loss(const MemoryCell& cell, const Story& story, const LossTouch& read, bool is_read,
                  Loss& loss) const {
        loss = {story.over != nullptr ? Loss::Kind::overwritten : Loss::Kind::read_too_early,
                loss.input,
                cell,
                {},
                {},
                {}};
        if (is_read) loss.read = access_ref(read);
        if (story.over != nullptr) loss.overwritten = access_ref(*story.over);
        const LossTouch* stored = story.over != nullptr ? story.put : story.late;
        if (stored != nullptr) loss.stored = access_ref(*stored);
    }

    // Neither program order nor a barrier nor the end of a launch is between them.
    bool unordered(const MemoryCell& cell, const LossTouch& a, const LossTouch& b) const {
        const Action& first = run_.trace().action(a.time);
        const Action& second = run_.trace().action(b.time);
        if (first.launch != second.launch || a.item == b.item) return false;
        if (first.group != second.group)
            return run_.trace().grids_before(a.time) == run_.trace().grids_before(b.time);
        return cell.local ? first.epoch_local == second.epoch_local
                          : first.epoch_global == second.epoch_global;
    }

    std::uint64_t from_start(const MemoryCell& cell) const {
        const auto found = cell.local
                               ? lost_.end()
                               : lost_.find({cell.array, static_cast<std::uint32_t>(cell.index)});
        return found == lost_.end() ? 0 : found->second;
    }

    void last_seen(std::size_t i) {
        Loss& loss = made_[i];
        loss.cell.array = loss.input.buffer;
        loss.cell.index = loss.input.index;
        if (last_[i].touch.node == 0) return;  // never read
        const Seen& last = last_[i];
        loss.cell = last.cell;
        loss.kind = last.stored ? Loss::Kind::last_stored : Loss::Kind::last_read;
        (last.stored ? loss.stored : loss.read) = access_ref(last.touch);
    }

    AccessRef access_ref(const LossTouch& touch) const {
        const Action& action = run_.trace().action(touch.time);
        const auto& places = run_.machine().context(action.launch).code->places;
        return {touch.time, touch.item, action.launch, numbers_.of(action.launch, action.pass),
                places[action.place].line};
    }

    std::uint64_t all() const {
        return ~std::uint64_t{0} >> (64U - std::max<std::size_t>(1, missing_.size()));
    }

    const machine::Run& run_;
    std::span<const Ingredient> missing_;
    PassNumbers numbers_;
    // Bits are inputs that are missing.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> lost_;  // by buffer and index
    std::vector<std::uint64_t> holds_;                                       // by node
    std::unordered_map<Key, std::uint64_t> ever_;  // at any time but the beginning
    std::uint64_t found_ = 0, guessed_ = 0;  // those that are explained, by a race or otherwise

    std::map<std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> arrays_;
    std::unordered_map<Key, std::vector<LossTouch>> stores_;
    std::vector<Seen> last_;          // by input
    std::unordered_set<Key> result_;  // its cells
    std::unordered_set<Key> wanted_;  // cells whose last store before the action at hand counts …
    std::unordered_set<Key> widened_;  // … and those of which every store does
    std::unordered_set<Key> read_;     // cells that were read for the result
    bool guesses_ = true;              // whether what is no race may be told
    std::unordered_set<std::uint64_t> items_;
    std::unordered_set<std::uint32_t> groups_;
    std::vector<Loss> made_;
};

}  // namespace

std::vector<Loss> losses_of(const machine::Run& run, std::span<const MemoryCell> result,
                            std::span<const Ingredient> missing) {
    if (missing.empty()) return {};
    return Tracer(run, missing.first(std::min(missing.size(), kMostLosses))).trace(result);
}

const char* name_of(Loss::Kind kind) {
    static constexpr std::array<const char*, 5> kNames{"never read", "read too early",
                                                       "overwritten", "last stored", "last read"};
    return kNames.at(static_cast<std::size_t>(kind));
}

json json_of(const Machine& machine, const Loss& loss) {
    json object{{"kind", name_of(loss.kind)},
                {"input", text_of(machine, {false, 0, 0, loss.input.buffer, loss.input.index})},
                {"cell", text_of(machine, loss.cell)}};
    const auto put = [&](const char* name, const std::optional<AccessRef>& ref) {
        if (ref)
            object[name] = {{"time", ref->time},
                            {"item", ref->item},
                            {"launch", ref->launch + 1},
                            {"pass", ref->pass},
                            {"line", ref->line}};
    };
    put("stored", loss.stored);
    put("read", loss.read);
    put("overwritten", loss.overwritten);
    return object;
}

std::optional<MemoryCell> memory_cell(const machine::Run& run, const Row& pass, std::size_t cell) {
    const std::uint32_t launch = pass.launch > 0 ? static_cast<std::uint32_t>(pass.launch) - 1 : 0;
    const Machine& machine = run.machine();
    if (launch >= machine.job().launches.size()) return std::nullopt;
    const machine::Context& context = machine.context(launch);
    MemoryCell result;
    result.launch = launch;
    result.index = cell;
    for (std::size_t object = 1; object <= context.visible; ++object) {
        const ObjectInfo& info = context.objects[object];
        const bool local = info.space == machine::Space::local;
        const bool first_input =
            pass.array.empty() && !local && machine.job().buffers[info.buffer].is_input;
        if (!first_input && (info.name != pass.array || local != pass.local_memory)) continue;
        result.local = local;
        result.array = static_cast<std::uint32_t>(local ? object : info.buffer);
        if (local && pass.group_cells > 0) {
            result.group = static_cast<std::uint32_t>(cell / pass.group_cells);
            result.index = cell % pass.group_cells;
        }
        return result;
    }
    return std::nullopt;
}

std::optional<CellCoverage> cell_account(machine::Run& run, const MemoryCell& cell,
                                         std::uint64_t time) {
    const Machine& machine = run.machine();
    const State state = run.state_at(time);
    const auto contents = contents_of(machine, state, cell);
    if (!contents) return std::nullopt;
    CellCoverage account;
    account.cell = text_of(machine, cell);
    if (contents->written) account.value = lang::text_of(contents->bits, contents->type);
    const Composition composition = composition_of(machine.lineage(), {&contents->node, 1});
    account.unwritten = composition.unwritten;
    std::size_t buffer = machine.job().buffers.size();
    for (std::size_t i = buffer; i-- > 0;)
        if (machine.job().buffers[i].is_input) buffer = i;
    if (!composition.inputs.empty()) buffer = composition.inputs.front().buffer;
    if (buffer >= machine.job().buffers.size()) return std::nullopt;
    const machine::Buffer& of = machine.job().buffers[buffer];
    const State start = run.state_at(0);
    const std::uint64_t count = of.bytes / lang::info(of.element).bytes;
    for (std::uint64_t i = 0; i < count; ++i)
        account.inputs.push_back({of.name + of.shape.at(i),
                                  lang::text_of(machine.value(start, buffer, i), of.element), 0});
    for (const Ingredient& each : composition.inputs)
        if (each.buffer == buffer && each.index < count)
            account.inputs[each.index].times += each.times;
    return account;
}

}  // namespace lab::analysis
