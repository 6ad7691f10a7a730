// The race detector against the definition itself: on random small kernels, under all schedules,
// a data race is a pair of conflicting accesses that no path of happens-before joins.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/hazards.h"
#include "lang/builtins.h"
#include "support/example_job.h"
#include "support/sanitized.h"

namespace lab::analysis {
namespace {

using machine::ActionKind;
using machine::StepResult;

// Place and kind of either, the lower one first; and whether of two groups.
using RacePair = std::tuple<std::uint32_t, bool, std::uint32_t, bool, bool>;
// Whether all of these are plain stores of one value to the same bytes.
using Races = std::map<RacePair, bool>;

RacePair pair_of(std::uint32_t a, bool a_writes, std::uint32_t b, bool b_writes, bool across) {
    if (std::tie(b, b_writes) < std::tie(a, a_writes)) {
        std::swap(a, b);
        std::swap(a_writes, b_writes);
    }
    return {a, a_writes, b, b_writes, across};
}

// What one work-item does, in the order of the run. A barrier is two fences.
struct Node {
    std::uint32_t item = 0, group = 0, warp = 0, place = 0;
    bool access = false, reads = false, writes = false, atomic = false;
    std::uint16_t space = 0;                          // of an access
    std::tuple<std::uint32_t, std::uint32_t> object;  // with its group where it is local
    std::uint64_t byte = 0, end = 0;                  // of the object
    std::uint64_t value = 0;                          // that it leaves there
    bool acquires = false, releases = false, sequential = false;
    lang::MemoryScope scope = lang::MemoryScope::device;
    std::uint16_t flags = 0;  // of a fence
    int meeting = -1;         // of a barrier: who meets whom
    bool entry = false;
};

// Conflicting ones that nothing orders, and those that atomics and fences order, not barriers
// alone.
struct Pairs {
    Races racing, handed_over;
    bool hands_over = false;
};

// Section 3.3.7 of the OpenCL specification, word by word, on all pairs of nodes. In CUDA one order
// is of all memory, and scopes need not be the same, if each includes the other's work-item: those
// of two fences, and of the atomics between them, too (libcu++, Memory model).
class Definition {
  public:
    explicit Definition(const machine::Context& context)
        : context_(context), is_cuda_(context.code->is_cuda) {}

    void add(const StepResult& done) {
        auto detail = done.details.begin();
        std::uint64_t failed = 0;
        std::uint32_t order = lang::kPlainAtomic;
        const auto details = [&](std::size_t before) {
            for (; detail != done.details.end() && detail->part <= before; ++detail) {
                if (detail->detail.kind == machine::Detail::Kind::failed)
                    failed = detail->detail.mask;
                else if (detail->detail.kind == machine::Detail::Kind::order)
                    order = detail->detail.flags;
                else if (detail->detail.kind == machine::Detail::Kind::fence)
                    add_fence(detail->detail);
                else if (detail->detail.kind == machine::Detail::Kind::grid)
                    add_grid();
            }
        };
        for (std::size_t i = 0; i < done.parts.size(); ++i) {
            details(i);
            add_part(done, done.parts[i], failed, order);
            failed = 0;
            order = lang::kPlainAtomic;
        }
        details(done.parts.size());
    }

    Pairs pairs() {
        if (nodes_.size() > Row().size()) throw std::length_error("too many nodes");
        Pairs found;
        for (const std::uint16_t space : {lang::kFenceLocal, lang::kFenceGlobal}) {
            order_by_barriers(space);
            const std::vector<Row> by_barriers = before_;
            order_by_atomics(space);
            for (std::size_t b = 0; b < nodes_.size(); ++b)
                for (std::size_t a = 0; a < b; ++a) {
                    if (!conflict(nodes_[a], nodes_[b], space) || by_barriers[a][b]) continue;
                    const RacePair pair =
                        pair_of(nodes_[a].place, nodes_[a].writes, nodes_[b].place,
                                nodes_[b].writes, nodes_[a].group != nodes_[b].group);
                    Races& all = before_[a][b] ? found.handed_over : found.racing;
                    bool& same = all.try_emplace(pair, true).first->second;
                    same = same && same_store(nodes_[a], nodes_[b]);
                }
        }
        return found;
    }

  private:
    using Row = std::bitset<512>;  // by node

    static std::vector<unsigned> lanes_of(std::uint64_t mask) {
        std::vector<unsigned> lanes;
        for (unsigned lane = 0; lane < 64; ++lane)
            if ((mask >> lane & 1U) != 0) lanes.push_back(lane);
        return lanes;
    }
    Node node(std::uint32_t group, std::uint32_t warp, unsigned lane) const {
        Node result;
        result.item = group * context_.local + warp * context_.lanes + lane;
        result.group = group;
        result.warp = group * context_.warps + warp;
        return result;
    }
    static void set_order(Node& node, std::uint32_t bits) {
        node.acquires = (bits & lang::kAcquires) != 0;
        node.releases = (bits & lang::kReleases) != 0;
        node.sequential = (bits & lang::kSeqCst) != 0;
        node.scope = lang::scope_of(static_cast<std::uint16_t>(bits));
    }
    // Of each of them an entry, then of each an exit.
    void add_meeting(std::vector<Node> nodes, int meeting) {
        for (Node& each : nodes) {
            each.meeting = meeting;
            each.entry = each.releases = true;
            nodes_.push_back(each);
        }
        for (Node& each : nodes) {
            each.entry = each.releases = false;
            each.acquires = true;
            nodes_.push_back(each);
        }
    }
    void add_fence(const machine::Detail& detail) {
        std::vector<Node> nodes;
        for (const unsigned lane : lanes_of(detail.mask)) {
            Node result = node(detail.group, detail.warp, lane);
            set_order(result, detail.flags);
            result.flags = detail.flags & 3U;
            nodes.push_back(result);
        }
        if ((detail.flags & lang::kTogether) == 0) {
            nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
            return;
        }
        for (Node& each : nodes)
            each.acquires = each.releases = false;
        add_meeting(nodes, meetings_++);
    }
    // All work-items of the launch meet.
    void add_grid() {
        std::vector<Node> all;
        for (std::uint32_t item = 0; item < context_.global; ++item) {
            const std::uint32_t group = item / context_.local;
            const std::uint32_t local = item % context_.local;
            all.push_back(node(group, local / context_.lanes, local % context_.lanes));
            all.back().flags = 3;
        }
        add_meeting(std::move(all), meetings_++);
    }
    void add_part(const StepResult& done, const machine::Part& part, std::uint64_t failed,
                  std::uint32_t order) {
        const machine::Action& action = part.action;
        std::size_t index = part.first;
        for (const unsigned lane : lanes_of(action.mask)) {
            Node result = node(action.group, action.warp, lane);
            result.place = action.place;
            if (action.kind == ActionKind::barrier) {
                set_order(result, action.object & lang::kScopeBits);
                result.flags = action.object & 3U;
                const std::tuple key{action.group, barriers_[result.item]++};
                const auto [at, news] = meeting_of_.try_emplace(key, meetings_);
                if (news) ++meetings_;
                add_meeting({result}, at->second);
                continue;
            }
            const machine::ObjectInfo& object = context_.objects[action.object];
            const bool local = object.space == machine::Space::local;
            const bool no_write = (failed >> lane & 1U) != 0;
            result.access = true;
            result.atomic = action.kind == ActionKind::atomic;
            result.writes = action.kind == ActionKind::store || (result.atomic && !no_write);
            if (result.atomic) {
                const std::uint32_t of_failure = order >> lang::kFailureShift;
                set_order(result, no_write && of_failure != 0 ? of_failure : order & 0xffffU);
                if (!result.writes) result.releases = false;
            }
            result.reads = action.kind == ActionKind::load ||
                           (result.atomic && (order & lang::kStoresOnly) == 0);
            if (!result.reads) result.acquires = false;
            result.space = local ? lang::kFenceLocal : lang::kFenceGlobal;
            result.object = {action.object, local ? action.group + 1 : 0};
            const unsigned size = lang::info(action.type).bytes;
            for (unsigned i = 0; i < action.count; ++i) {
                result.value = done.accesses[index].after;
                result.byte = std::uint64_t{done.accesses[index++].index} * size;
                result.end = result.byte + size;
                nodes_.push_back(result);
            }
        }
    }

    static bool same_cells(const Node& a, const Node& b) {
        return a.access && b.access && a.space == b.space && a.object == b.object &&
               a.byte < b.end && b.byte < a.end;
    }
    static bool same_store(const Node& a, const Node& b) {
        return a.writes && b.writes && !a.atomic && !b.atomic && a.byte == b.byte &&
               a.end == b.end && a.value == b.value;
    }
    // Whether the scope of `a` includes `b`.
    static bool includes(const Node& a, const Node& b) {
        return a.scope == lang::MemoryScope::device ||
               (a.scope == lang::MemoryScope::group && a.group == b.group) ||
               (a.scope == lang::MemoryScope::sub_group && a.warp == b.warp);
    }
    // Whether two operations, by way of memory `space`, have an inclusive scope.
    bool inclusive(const Node& a, const Node& b, std::uint16_t space) const {
        if (is_cuda_) return includes(a, b) && includes(b, a);
        const auto scope = [&](const Node& node) {
            return space == lang::kFenceLocal && node.scope == lang::MemoryScope::device
                       ? lang::MemoryScope::group
                       : node.scope;
        };
        if (scope(a) != scope(b)) return false;
        return scope(a) == lang::MemoryScope::device ||
               (scope(a) == lang::MemoryScope::group && a.group == b.group) ||
               (scope(a) == lang::MemoryScope::sub_group && a.warp == b.warp);
    }
    bool conflict(const Node& a, const Node& b, std::uint16_t space) const {
        return a.space == space && same_cells(a, b) && a.item != b.item && (a.writes || b.writes) &&
               !(a.atomic && b.atomic && inclusive(a, b, space));
    }

    void order_by_barriers(std::uint16_t space) {
        const std::size_t count = nodes_.size();
        before_.assign(count, {});
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b) {
                const Node& x = nodes_[a];
                const Node& y = nodes_[b];
                if (x.item == y.item && a < b) before_[a].set(b);
                if (x.meeting >= 0 && x.meeting == y.meeting && x.entry && !y.entry &&
                    (x.flags & space) != 0)
                    before_[a].set(b);
            }
        close();
    }
    void order_by_atomics(std::uint16_t space) {
        for (std::size_t x = 0; x < nodes_.size(); ++x)
            if (nodes_[x].atomic && nodes_[x].writes) follow(x, space);
        close();
    }
    void close() {
        for (std::size_t k = 0; k < nodes_.size(); ++k)
            for (std::size_t a = 0; a < nodes_.size(); ++a)
                if (before_[a][k]) before_[a] |= before_[k];
    }
    // Who reads what `x` left, or a side effect of the release sequence that it heads.
    void follow(std::size_t x, std::uint16_t space) {
        for (std::size_t y = x + 1; y < nodes_.size(); ++y) {
            const Node& node = nodes_[y];
            if (!same_cells(nodes_[x], node)) continue;
            if (node.atomic && node.reads) synchronize(x, y, space);
            if (node.writes && (!node.atomic || (!node.reads && node.item != nodes_[x].item)))
                return;
        }
    }
    void synchronize(std::size_t x, std::size_t y, std::uint16_t space) {
        const std::uint16_t through = nodes_[x].space;  // whose …-synchronizes-with it is
        if (is_cuda_ && !inclusive(nodes_[x], nodes_[y], space)) return;
        const auto fences = [&](std::size_t fence) {
            return !nodes_[fence].access && (is_cuda_ || (nodes_[fence].flags & through) != 0);
        };
        for (std::size_t a = 0; a <= x; ++a) {
            const Node& from = nodes_[a];
            if (from.item != nodes_[x].item || !from.releases || (a != x && !fences(a))) continue;
            for (std::size_t b = y; b < nodes_.size(); ++b) {
                const Node& to = nodes_[b];
                if (to.item != nodes_[y].item || !to.acquires || (b != y && !fences(b))) continue;
                if (!inclusive(from, to, through)) continue;
                const bool both = !from.access && !to.access && from.flags == 3 && to.flags == 3;
                if (is_cuda_ || through == space || both || (from.sequential && to.sequential))
                    before_[a].set(b);
            }
        }
    }

    const machine::Context& context_;
    bool is_cuda_;
    std::vector<Node> nodes_;
    std::map<std::uint32_t, std::uint32_t> barriers_;  // passed, by item
    std::map<std::tuple<std::uint32_t, std::uint32_t>, int> meeting_of_;
    int meetings_ = 0;
    std::vector<Row> before_;
};

Pairs pairs_found(const RaceDetector& detector) {
    Pairs found;
    found.hands_over = detector.handed_over();
    for (const Race& race : detector.races()) {
        const RacePair pair =
            pair_of(race.example.first.place, race.example.first.writes, race.example.second.place,
                    race.example.second.writes, race.across_groups);
        Races& all = race.by_atomics ? found.handed_over : found.racing;
        bool& same = all.try_emplace(pair, true).first->second;
        same = same && race.same_value;
    }
    return found;
}

bool includes(const Races& most, const Races& some) {
    return std::all_of(some.begin(), some.end(),
                       [&](const auto& each) { return most.count(each.first) > 0; });
}

// All ways through a job, or as many as `most`; where there are more, by chance.
class AllSchedules {
  public:
    AllSchedules(const machine::Job& job, std::size_t most, std::mt19937& random)
        : machine_(job, false), most_(most), random_(random) {
        machine::State state;
        machine_.start(state, nullptr);
        go_on(state);
        if (all_.size() < most_) return;
        all_.resize(most_ / 2);
        while (all_.size() < most_)
            go_by_chance(state);
    }
    const machine::Machine& machine() const { return machine_; }
    const std::vector<std::vector<StepResult>>& all() const { return all_; }

  private:
    std::vector<machine::WarpRef> choices(const machine::State& state) {
        std::vector<machine::WarpRef> choices;
        for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp)
                if (machine::is_ready(state, {slot, warp})) choices.push_back({slot, warp});
        std::shuffle(choices.begin(), choices.end(), random_);
        return choices;
    }
    void go_by_chance(machine::State state) {
        std::vector<StepResult> way;
        while (!machine_.done(state))
            machine_.act(state, choices(state).front(), way.emplace_back(), nullptr);
        all_.push_back(std::move(way));
    }
    void go_on(const machine::State& state) {
        if (all_.size() >= most_) return;
        if (machine_.done(state)) {
            all_.push_back(way_);
            return;
        }
        for (const machine::WarpRef& choice : choices(state)) {
            machine::State after = state;
            way_.emplace_back();
            machine_.act(after, choice, way_.back(), nullptr);
            go_on(after);
            way_.pop_back();
        }
    }

    machine::Machine machine_;
    std::size_t most_;
    std::mt19937& random_;
    std::vector<StepResult> way_;
    std::vector<std::vector<StepResult>> all_;
};

Pairs detected(const machine::Machine& machine, const std::vector<StepResult>& way) {
    RaceDetector detector;
    detector.begin(machine);
    for (const StepResult& done : way) {
        auto detail = done.details.begin();
        for (std::size_t i = 0; i <= done.parts.size(); ++i) {
            for (; detail != done.details.end() && detail->part <= i; ++detail)
                detector.detail(detail->detail);
            if (i == done.parts.size()) break;
            const machine::Part& part = done.parts[i];
            detector.observe(part.action,
                             {done.accesses.data() + part.first, part.end - part.first}, i > 0);
        }
    }
    return pairs_found(detector);
}

struct Shape {
    std::uint64_t groups, items;
    std::uint32_t lanes;
};

// What a kernel is made of, by chance.
class Statements {
  public:
    explicit Statements(std::mt19937& random, bool plain) : random_(random), plain_(plain) {}

    int any(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    template <typename... Text>
    std::string one_of(Text... texts) {
        const std::array<const char*, sizeof...(texts)> all{texts...};
        return all[random_() % all.size()];
    }
    std::string cell() { return one_of("x[", "x[", "b[") + std::to_string(any(2)) + "]"; }
    // The same memory as bytes, halves of a word, or two words in one.
    std::string seen_as() {
        const bool local = any(3) == 0;
        const std::string space = local ? "local" : "global";
        const std::string name = local ? "b" : "x";
        switch (any(4)) {
            case 0:
                return fmt::format("((volatile {} short*){})[{}]", space, name, any(4));
            case 1:
                return fmt::format("((volatile {} long*){})[0]", space, name);
            default:
                return fmt::format("((volatile {} uchar*){})[{}]", space, name, any(8));
        }
    }
    std::string flags() {
        return one_of("CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                      "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE");
    }
    std::string scope() {
        if (!of_scope_.empty()) return of_scope_;
        return one_of("memory_scope_device", "memory_scope_device", "memory_scope_work_group",
                      "memory_scope_sub_group", "memory_scope_all_svm_devices");
    }
    std::string order() {
        return one_of("memory_order_relaxed", "memory_order_acquire", "memory_order_release",
                      "memory_order_acq_rel", "memory_order_seq_cst");
    }
    std::string fence() {
        switch (any(4)) {
            case 0:
                return fmt::format(
                    "{}({});",
                    one_of("mem_fence", "read_mem_fence", "write_mem_fence", "mem_fence"), flags());
            default:
                return fmt::format("atomic_work_item_fence({}, {}, {});", flags(), order(),
                                   scope());
        }
    }
    std::string change() {  // an atomic that may release
        switch (any(6)) {
            case 0:
                return fmt::format("atomic_inc(&{});", cell());
            case 1:
                return fmt::format("atomic_store(&{}, {});", cell(), 1 + any(2));
            case 2:
                return fmt::format("atomic_fetch_add(&{}, 1);", cell());
            case 3:
                return fmt::format("atomic_fetch_add_explicit(&{}, 1, {}, {});", cell(), order(),
                                   scope());
            case 4:
                return fmt::format(
                    "r += atomic_compare_exchange_strong_explicit(&{}, &e, 1, {}, "
                    "{}, {});",
                    cell(), order(), order(), scope());
            default:
                return fmt::format("atomic_store_explicit(&{}, {}, {}, {});", cell(), 1 + any(2),
                                   order(), scope());
        }
    }
    std::string look() {  // an atomic that may acquire
        switch (any(4)) {
            case 0:
                return fmt::format("atomic_or(&{}, 0)", cell());
            case 1:
                return fmt::format("atomic_load(&{})", cell());
            case 2:
                return fmt::format("atomic_fetch_or_explicit(&{}, 0, {}, {})", cell(), order(),
                                   scope());
            default:
                return fmt::format("atomic_load_explicit(&{}, {}, {})", cell(), order(), scope());
        }
    }
    // One hands over and another takes, both the same way, which hazards has to know step by step:
    // by a fence or by the atomic, in the data's memory or the other one, to more than one.
    std::string hand_over(std::uint64_t item) {
        if (item == 0 || way_.empty()) {
            of_scope_ = one_of("memory_scope_device", "memory_scope_device",
                               "memory_scope_work_group", "memory_scope_sub_group");
            way_ = one_of("fence", "fence", "atomic", "atomic", "sequential", "barrier");
            data_ = cell();
            flag_ = (data_[0] == 'x') == (any(3) != 0) ? "x[1]" : "b[1]";
            if (flag_ == data_) data_ = data_.substr(0, 2) + "0]";
            of_flags_ = any(3) == 0 ? flags() : "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE";
        }
        const bool fences = way_ == "fence", all = way_ == "sequential";
        const std::string fence =
            fmt::format("atomic_work_item_fence({}, {}, {});", of_flags_,
                        all ? "memory_order_seq_cst" : "memory_order_acq_rel", of_scope_);
        const std::string by = all           ? "memory_order_seq_cst"
                               : fences      ? "memory_order_relaxed"
                               : any(6) == 0 ? order()
                               : any(2) == 0 ? "memory_order_release"
                                             : "memory_order_acq_rel";
        const std::string before = fences || (all && any(2) == 0) ? fence : "";
        const std::string take = all || fences ? by
                                 : any(6) == 0 ? order()
                                               : "memory_order_acquire";
        switch (item == 0 ? 0 : 1 + any(5)) {
            case 0:
                return fmt::format("{} = 1; {} atomic_store_explicit(&{}, 1, {}, {});", data_,
                                   before, flag_, by, of_scope_);
            case 1:  // hands on what it got
                return fmt::format(
                    "if (atomic_fetch_add_explicit(&{}, 1, {}, {}) == {}) {{ {} {} {} = 3; }}",
                    flag_, all ? by : "memory_order_acq_rel", of_scope_, 1 + any(2), before,
                    any(2) == 0 ? "" : "r += " + data_ + ";", data_);
            case 2:
                return fmt::format("atomic_store_explicit(&{}, {}, {}, {}); {}", flag_, 1 + any(2),
                                   order(), of_scope_, any(2) == 0 ? change() : "");
            default:
                return fmt::format("if (atomic_load_explicit(&{}, {}, {}) != 0) {{ {} {}{}; }}",
                                   flag_, take, of_scope_, before, any(2) == 0 ? "r += " : "",
                                   data_ + (any(9) == 0 ? "++" : ""));
        }
    }
    std::string statement() {
        switch (plain_ ? any(4) : any(12)) {
            case 0:
                return fmt::format("{} = {};", cell(), any(3));
            case 1:
                return fmt::format("r += {};", cell());
            case 2:
                return fmt::format("{} = {};", seen_as(), any(3));
            case 3:
                return fmt::format("r += {};", seen_as());
            case 4:
                return fmt::format("r += atomic_cmpxchg(&{}, {}, {});", cell(), any(2), any(3));
            case 5:
                return change();
            case 6:
                return change() + " " + change();
            case 7:
            case 8:
                return fmt::format("{} = 1; {} {}", cell(), any(2) == 0 ? fence() : "", change());
            default:
                return fmt::format("if ({} != 0) {{ {} r += {}; }}", look(),
                                   any(2) == 0 ? fence() : "", cell());
        }
    }

    // Each for a rule that the statements rarely meet, all of which are to be found in
    // bench/mutations.txt.
    std::string for_one_rule(Shape& shape) {
        const int rule = any(18);
        if (rule < 3) return over_and_over(shape);
        if (rule < 6) return crowd(shape);
        if (rule < 8) return old_news(shape);
        if (rule < 11) return through_a_group(shape);
        return rule < 15 ? straight(shape) : chain(shape);
    }

  private:
    // One place of the text touches other bytes, writes or does not, in another scope, for other
    // work-items, before a barrier and behind it.
    std::string over_and_over(Shape& shape) {
        if (shape.groups * shape.items > 4) shape = {2, 2, 1};
        const int all = static_cast<int>(shape.groups * shape.items);
        const int items = static_cast<int>(shape.items), first = any(items);
        const auto twice = [&](int step, const char* text, const std::string& then) {
            const std::string barrier =
                step != 0 || any(2) == 0 ? fmt::format("barrier({});", flags()) : "";
            return fmt::format(
                "for (int i = 0; i < 2; ++i) {{\nif (g == {} + i * {}) {}\n{} }}\n"
                "if (g == {}) {}\n",
                first, step, text, barrier, (first + 1 + any(all - 1)) % all, then);
        };
        const std::string then = one_of("x[0] = 3;", "r += x[0];", "x[0] = 3;");
        switch (any(6)) {
            case 0:
            case 1:
                return twice(0, "((volatile global uchar*)x)[i] = 1;",
                             fmt::format("((volatile global uchar*)x)[{}] = 2;", any(2)));
            case 2:
                return twice(0, "r += atomic_cmpxchg(&x[0], 0, 1);", then);
            case 3:
                return twice(any(3) == 0 ? 1 : items, "x[0] = i;", then);
            case 4:
                return twice(any(3) == 0 ? 1 : items, "r += x[0];", "x[0] = 3;");
            default: {  // all that a macro stands for is at one place
                std::string one = one_of("memory_scope_work_group", "memory_scope_sub_group");
                std::string two = "memory_scope_device";
                if (any(3) == 0) std::swap(one, two);
                return fmt::format(
                    "#define ADD(s) atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed, s)\n"
                    "#define BOTH ADD({}); ADD({})\n"
                    "if (g == {}) {{ BOTH; }}\nif (g == {}) ADD({});\n",
                    one, two, any(all), any(all), two);
            }
        }
    }
    // Many read at one place; who writes it then knows of all but one of them, or of none where
    // atomics that do not order meet others of their group.
    std::string crowd(Shape& shape) {
        constexpr Shape kLarge[] = {{1, 24, 24}, {1, 24, 24}, {2, 12, 4}, {2, 8, 1}};
        shape = kLarge[any(4)];
        const bool local = shape.groups == 1 && any(2) == 0;
        const std::string name = local ? "b" : "x";
        const std::string barrier =
            local ? "barrier(CLK_GLOBAL_MEM_FENCE);" : "barrier(CLK_LOCAL_MEM_FENCE);";
        const int all = static_cast<int>(shape.groups * shape.items), knows = any(all);
        if (shape.groups > 1 && any(2) == 0)
            return fmt::format(
                "atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed, {0});\n{1}\n"
                "if (g == {2}) atomic_fetch_or_explicit(&x[0], 1, memory_order_relaxed, {0});\n",
                any(3) == 0 ? scope() : "memory_scope_work_group", barrier, knows);
        const std::string by =
            shape.groups > 1 || any(2) == 0 ? "memory_scope_device" : "memory_scope_work_group";
        return fmt::format(
            "r += {0}[0];\nif (g != {1})\n"
            "atomic_fetch_add_explicit(&{0}[1], 1, memory_order_release, {2});\n{3}\n"
            "if (g == {4}) {{ r += atomic_load_explicit(&{0}[1], memory_order_acquire, {2}); "
            "{0}[0] = 5; }}\n",
            name, any(all), by, barrier, knows);
    }

    // One hands over to another, who hands over other data in turn; nothing else orders the two.
    std::string straight(Shape& shape) {
        shape = any(3) == 0 ? Shape{2, 1, 1} : Shape{1, 2, 1};
        const int giver = any(2);
        return one_way(shape, giver, false) + one_way(shape, 1 - giver, true);
    }
    // By the data's memory or the other one, by two fences, two atomics or barriers that do not
    // meet. One part at most is not as it has to be, most often an order, or a store behind it ends
    // all. `again`: in other cells.
    std::string one_way(const Shape& shape, int giver, bool again) {
        const bool elsewhere = shape.groups == 1 && any(2) == 0;
        const bool local = shape.groups == 1 && (elsewhere ? any(2) : again ? 1 : any(3)) == 0;
        in_local_ = local != elsewhere;
        sequential_ = elsewhere && any(5) != 0;
        way_ = one_of("fences", "fences", "atomics", "atomics", "barrier");
        of_scope_ =
            shape.groups == 1 && any(2) == 0 ? "memory_scope_work_group" : "memory_scope_device";
        const std::string own = local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
        const std::string other = local ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE";
        const int flags = any(4);
        of_flags_ = flags == 0                                  ? own
                    : flags == 1 || (elsewhere && !sequential_) ? own + " | " + other
                    : elsewhere                                 ? other
                                                                : own;
        const bool wide = any(4) == 0 && !(in_local_ && again);
        const std::string space = in_local_ ? "local" : "global";
        const std::string cells = in_local_ ? "b" : again ? "(x + 4)" : "x";
        const std::string data = local ? (again ? "b[3]" : "b[2]") : again ? "x[6]" : "x[2]";
        const std::string flag = wide ? fmt::format("(volatile {} atomic_long*){}", space, cells)
                                      : fmt::format("&{}[{}]", cells, in_local_ && again ? 3 : 1);
        const std::string behind[] = {
            "",
            fmt::format("atomic_store_explicit({}, 2, memory_order_relaxed, {});", flag, of_scope_),
            wide                 ? cells + "[1] = 4;"
            : in_local_ && again ? "b[3] = 4;"
                                 : fmt::format("((volatile {} long*){})[0] = 5;", space, cells)};
        constexpr int kNone = 99;  // so many parts has none
        const int slip = any(4);
        slip_ = slip == 0 ? 0 : slip == 1 ? any(8) : kNone;
        const std::string barrier =
            way_ == "barrier"
                ? fmt::format("{}_barrier({}, {});\n",
                              shape.groups > 1 && any(2) == 0 ? "work_group" : "sub_group",
                              one_flags(), one_scope())
                : "";
        const std::string given = give(flag) + " " + behind[any(3)];
        if (slip == 2) slip_ = way_ == "fences" ? 1 : 0;  // the order of who takes
        const std::string taken =
            way_ == "atomics" && !wide && any(2) == 0
                ? fmt::format(
                      "r += atomic_compare_exchange_strong_explicit({}, &e, 0, {}, {}, {});", flag,
                      one_order("memory_order_acquire"),
                      one_of("memory_order_relaxed", "memory_order_acquire"), one_scope())
                : take(flag);
        return fmt::format(
            "if (g == {0}) {1} = 1;\n{2}if (g == {0}) {{ {3} }}\n"
            "if (g == {4}) {{ {5} }}\n{2}if (g == {4}) r += {1};\n",
            giver, data, barrier, given, 1 - giver, taken);
    }
    // What one takes it hands on to a third, or another of its group does, behind their barrier.
    std::string through_a_group(Shape& shape) {
        const bool alone = any(2) == 0;
        shape = alone ? Shape{3, 1, 1} : Shape{3, 2, 2};
        of_scope_ = "memory_scope_device";
        of_flags_ = "CLK_GLOBAL_MEM_FENCE";
        way_ = one_of("fences", "atomics");
        slip_ = any(32);
        const int items = alone ? 1 : 2, from = any(3), by = (from + 1 + any(2)) % 3,
                  to = 3 - from - by, one = any(items);
        std::string text = fmt::format("if (g == {}) {{ x[2] = 1; {} }}\n",
                                       from * items + any(items), give("&x[1]"));
        text += fmt::format("if (g == {}) {{ {} }}\n", by * items + one, take("&x[1]"));
        if (!alone) text += fmt::format("barrier({});\n", of_flags_);
        text += fmt::format("if (g == {}) {{ {} }}\n", by * items + (alone ? 0 : 1 - one),
                            give("&x[3]"));
        return text + fmt::format("if (g == {}) {{ {} r += x[2]; }}\n", to * items + any(items),
                                  take("&x[3]"));
    }
    // Who is told of much by way of another, who knows less of one part of it.
    std::string old_news(Shape& shape) {
        shape = any(2) == 0 ? Shape{3, 1, 1} : Shape{1, 3, 1};
        const int one = any(3), other = (one + 1 + any(2)) % 3;
        const auto release = [](int cell) {
            return fmt::format(
                "atomic_fetch_add_explicit(&x[{}], 1, memory_order_release, memory_scope_device);",
                cell);
        };
        const auto acquire = [](int cell) {
            return fmt::format(
                "r += atomic_load_explicit(&x[{}], memory_order_acquire, memory_scope_device);",
                cell);
        };
        return fmt::format(
            "if (g == {}) {{ {} {} {} x[2] = 1; {} }}\nif (g == {}) {{ {} {} {} {} }}\n"
            "if (g == {}) {{ {} {} r += x[2]; }}\n",
            one, release(1), release(4), release(5), release(1), other, acquire(1), acquire(4),
            acquire(5), release(6), 3 - one - other, acquire(1), acquire(6));
    }

    // Whether the next part of a hand-over is not as it has to be: each by chance, or one at most.
    bool slips(int bound) { return slip_ ? (*slip_)-- == 0 : any(bound) == 0; }
    // In local memory the device's scope is the group's.
    std::string one_scope() {
        if (slips(8))
            return one_of("memory_scope_device", "memory_scope_work_group",
                          "memory_scope_sub_group");
        if (in_local_ && of_scope_ != "memory_scope_sub_group")
            return one_of("memory_scope_device", "memory_scope_work_group");
        return of_scope_;
    }
    std::string one_flags() { return slips(10) ? flags() : of_flags_; }
    std::string one_order(const std::string& usual) {
        if (slips(6))
            return any(4) == 0                       ? order()
                   : usual == "memory_order_release" ? "memory_order_acquire"
                                                     : "memory_order_release";
        return sequential_ ? "memory_order_seq_cst" : any(3) == 0 ? "memory_order_acq_rel" : usual;
    }
    std::string one_fence(const std::string& usual) {
        const std::string of = one_order(usual), flags = one_flags();
        return fmt::format("atomic_work_item_fence({}, {}, {});", flags, of, one_scope());
    }
    std::string give(const std::string& to) {
        const bool by_fence = way_ == "fences" && any(6) != 0,
                   itself = !by_fence && way_ != "barrier";
        const std::string fence = by_fence ? one_fence("memory_order_release") : "";
        const std::string of = itself ? one_order("memory_order_release") : "memory_order_relaxed";
        return fmt::format(
            "{} {}({}, 1, {}, {});", fence,
            one_of("atomic_store_explicit", "atomic_fetch_add_explicit", "atomic_store_explicit"),
            to, of, one_scope());
    }
    std::string take(const std::string& from) {
        const bool by_fence = way_ == "fences" && any(6) != 0,
                   itself = !by_fence && way_ != "barrier";
        const std::string of = itself ? one_order("memory_order_acquire") : "memory_order_relaxed";
        const std::string load =
            fmt::format("r += atomic_load_explicit({}, {}, {});", from, of, one_scope());
        return load + (by_fence ? " " + one_fence("memory_order_acquire") : "");
    }
    // One work-item writes, and one of its group hands that over, perhaps by way of others, to one
    // that takes it, perhaps for another of its group; by atomics, fences or barriers, any of which
    // may be too little, and a store between may end it. Nobody asks what the atomics find: whether
    // it was handed over depends on the schedule.
    std::string chain(Shape& shape) {
        if (shape.groups * shape.items != 4) shape = any(3) == 0 ? Shape{1, 4, 2} : Shape{2, 2, 2};
        const std::uint64_t all = shape.groups * shape.items, items = shape.items;
        if (any(3) != 0) slip_ = any(2) == 0 ? any(8) : 99;  // so many parts has none
        const auto anyone = [&] { return random_() % all; };
        const auto beside = [&](std::uint64_t item) {  // it, or one of its group
            return any(2) == 0 ? item / items * items + random_() % items : item;
        };
        const bool local = items > 1 && any(3) == 0;
        const bool elsewhere = items > 1 && any(2) == 0;  // the atomics lie in the other memory
        in_local_ = local != elsewhere;
        sequential_ = any(elsewhere ? 2 : 5) == 0;
        way_ = one_of("barrier", "fences", "fences", "atomics");
        const std::string name = in_local_ ? "b" : "x", space = in_local_ ? "local" : "global";
        const std::string data = local ? "b[2]" : "x[2]";
        const std::string own = local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
        const std::string other = local ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE";
        of_flags_ = sequential_ && elsewhere && any(3) != 0 ? other
                    : elsewhere || any(2) == 0              ? own + " | " + other
                                                            : own;
        of_scope_ = one_of("memory_scope_device", "memory_scope_device", "memory_scope_work_group",
                           "memory_scope_sub_group");
        const bool wide = any(3) == 0;
        const std::string flag =
            wide ? fmt::format("(volatile {} atomic_long*){}", space, name) : "&" + name + "[1]";
        std::string barrier;
        if (way_ == "barrier") {
            const std::string which = one_of("work_group", "work_group", "sub_group");
            const std::string flags = one_flags();
            barrier = fmt::format("{}_barrier({}, {});\n", which, flags, one_scope());
        }
        const std::string group_barrier = fmt::format("barrier({});\n", own);

        const std::uint64_t writer = anyone(), giver = beside(writer);
        std::string text = fmt::format("if (g == {}) {} = 1;\n", writer, data);
        if (giver != writer && any(4) != 0) text += group_barrier;
        text += barrier + fmt::format("if (g == {}) {{ {} {} }}\n", giver, give(flag),
                                      any(2) == 0 ? fmt::format("atomic_store_explicit({}, 2, "
                                                                "memory_order_relaxed, {});",
                                                                flag, of_scope_)
                                                  : "");
        std::string from = flag;
        if (any(3) == 0) {
            from = "&" + name + "[3]";
            const std::uint64_t between = anyone(), then = beside(between);
            text += fmt::format("if (g == {}) {{ {} }}\n", between, take(flag));
            if (then != between) text += group_barrier;
            text += fmt::format("if (g == {}) {{ {} }}\n", then, give(from));
        } else if (any(2) == 0) {
            const std::string between[] = {
                fmt::format("{}[{}] = 4;", name, wide && any(3) != 0 ? 1 : any(2)),
                fmt::format("((volatile {} long*){})[0] = 5;", space, name),
                fmt::format("atomic_store_explicit({}, 3, {}, {});", flag, order(), of_scope_),
                fmt::format("atomic_fetch_add_explicit({}, 1, memory_order_relaxed, {});", flag,
                            of_scope_)};
            text += fmt::format("if (g == {}) {}\n", anyone(), between[any(4)]);
        }
        const bool one_group = (local || in_local_ || of_scope_ != "memory_scope_device") &&
                               any(4) != 0;  // nobody else could take it
        const std::uint64_t taker =
            one_group ? writer / items * items + random_() % items : anyone();
        const std::uint64_t reader = beside(taker);
        text += fmt::format("if (g == {}) {{ {} }}\n", taker, take(from));
        if (reader != taker && any(4) != 0) text += group_barrier;
        return text + barrier +
               fmt::format("if (g == {}) {};\n", reader,
                           any(2) == 0   ? "r += " + data
                           : any(3) == 0 ? data + "++"
                                         : data + " = 3");
    }

    std::mt19937& random_;
    bool plain_, in_local_ = false, sequential_ = false;
    std::string of_scope_, of_flags_, way_, data_, flag_;  // of a hand-over
    std::optional<int> slip_;  // which part of it is not as it has to be
};

// No load releases, no store acquires, and no exchange that fails has a stronger order.
std::string with_legal_orders(const std::string& text) {
    static const std::regex call(
        R"((atomic_(load|store|compare_exchange_strong)_explicit\([^;]*?)memory_order_(\w+)(?:, memory_order_(\w+))?)");
    std::string legal;
    std::sregex_iterator at(text.begin(), text.end(), call);
    auto from = text.begin();
    for (; at != std::sregex_iterator(); ++at) {
        std::string order = (*at)[3], failure = (*at)[4];
        if ((*at)[2] == "load" && order == "release") order = "relaxed";
        if ((*at)[2] == "load" && order == "acq_rel") order = "acquire";
        if ((*at)[2] == "store" && order == "acquire") order = "relaxed";
        if ((*at)[2] == "store" && order == "acq_rel") order = "release";
        if (failure == "release" || order == "relaxed") failure = failure.empty() ? "" : "relaxed";
        if (failure == "acq_rel" || (failure == "seq_cst" && order != "seq_cst"))
            failure = "acquire";
        legal += std::string(from, (*at)[0].first) + (*at)[1].str() + "memory_order_" + order;
        if (!failure.empty()) legal += ", memory_order_" + failure;
        from = (*at)[0].second;
    }
    return legal + std::string(from, text.end());
}

machine::Example racing_kernel(std::mt19937& random, Shape& shape) {
    Statements make(random, random() % 4 == 0);
    const std::string rule = make.any(3) != 0 ? make.for_one_rule(shape) : "";
    const std::uint64_t all = shape.groups * shape.items;
    machine::Example example;
    example.global = all;
    example.local = shape.items;
    example.buffers = {{make.any(2), make.any(2), 0, 0, 0, 0, 0, 0}};
    example.local_ints = {4};
    example.text =
        "kernel void k(volatile global int* x, volatile local int* b) {\n"
        "const int g = get_global_id(0), l = get_local_id(0);\nint r = 0, e = 0;\n";
    if (rule.empty() || rule.find("b[") != std::string::npos ||
        rule.find(")b,") != std::string::npos)
        example.text +=
            fmt::format("if (l == 0) {{ b[0] = 0; b[1] = 0; {} }}\nbarrier(CLK_LOCAL_MEM_FENCE);\n",
                        rule.empty() ? "" : "b[2] = 0; b[3] = 0;");
    if (!rule.empty()) {
        example.text = with_legal_orders(example.text + rule + "}\n");
        return example;
    }
    const bool large = all > 4;
    const bool hands_over = make.any(3) == 0;
    const int phases = shape.items > 1 ? 1 + make.any(2) : 1;
    for (int phase = 0; phase < phases; ++phase) {
        if (phase > 0)
            example.text += make.any(3) == 0 ? fmt::format("work_group_barrier({}, {});\n",
                                                           make.flags(), make.scope())
                                             : fmt::format("barrier({});\n", make.flags());
        // Of all of them, or of all but one.
        if (large || make.any(4) == 0)
            example.text += (make.any(2) == 0 ? fmt::format("if (l != {}) ", make.any(4)) : "") +
                            "{ " + make.statement() + " }\n";
        // All lanes of a sub-group come to its barrier.
        if (make.any(large ? 3 : 6) == 0)
            example.text += fmt::format("sub_group_barrier({});\n", make.flags());
        for (std::uint64_t item = 0; item < all; ++item) {
            if (large ? make.any(static_cast<int>(all)) > 2 : all > 2 && make.any(4) == 0) continue;
            example.text += fmt::format("if (g == {}) {{ {}", item,
                                        hands_over ? make.hand_over(item) : make.statement());
            if (phases == 1 && all < 4) example.text += " " + make.statement();
            example.text += " }\n";
        }
    }
    example.text = with_legal_orders(example.text + "}\n");
    return example;
}

// The same under CUDA's rules, whose barriers and fences are for all memory.
machine::Example as_cuda(machine::Example example) {
    for (const std::string flag : {"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE"})
        for (std::size_t at = 0; (at = example.text.find(flag, at)) != std::string::npos; ++at)
            example.text.replace(at, flag.size(), "3");
    return example;
}

// Every other barrier is one of all groups, where they meet between their phases.
machine::Job as_cuda(machine::Job job, bool grid) {
    for (machine::Launch& launch : job.launches) {
        auto code = std::make_shared<lang::Code>(*launch.code);
        code->is_cuda = true;
        int barriers = 0;
        for (lang::Instruction& each : code->instructions)
            if (grid && each.op == lang::Op::barrier && ++barriers % 2 == 1)
                each.extra = lang::kWholeGrid | lang::kFenceLocal | lang::kFenceGlobal;
        launch.code = std::move(code);
    }
    return job;
}

// Thousands by hand: LAB_RANDOM_KERNELS=5000.
void compare_random_kernels(int usual, bool cuda, bool grid = false) {
    const char* asked = std::getenv("LAB_RANDOM_KERNELS");
    const char* seed = std::getenv("LAB_RANDOM_SEED");
    const int count = asked != nullptr ? std::atoi(asked) : kSanitized ? usual / 8 : usual;
    const unsigned first_seed = seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : 1U;
    constexpr Shape kShapes[] = {{2, 1, 1},  {1, 2, 1}, {3, 1, 1},  {1, 3, 2},
                                 {2, 2, 1},  {1, 4, 2}, {2, 2, 2},  {4, 1, 1},
                                 {2, 12, 4}, {3, 6, 2}, {1, 24, 4}, {2, 8, 1}};
    int racy = 0, free_of_races = 0, sometimes = 0, all_tried = 0, for_all = 0, differing = 0;
    for (int i = 0; i < count; ++i) {
        std::mt19937 random(first_seed + static_cast<unsigned>(i));
        Shape shape = kShapes[static_cast<unsigned>(i) % std::size(kShapes)];
        machine::Example example = racing_kernel(random, shape);
        if (cuda) example = as_cuda(std::move(example));
        const std::size_t most = shape.groups * shape.items > 4 ? 6 : 150;
        machine::Job job = machine::job_of(example, shape.lanes, 0);
        if (cuda) job = as_cuda(std::move(job), grid);
        const AllSchedules schedules(job, most, random);
        const std::string about = fmt::format("kernel {}: {}{} groups of {}, {} lanes", i,
                                              example.text, shape.groups, shape.items, shape.lanes);
        bool wrong = false;
        all_tried += schedules.all().size() < most ? 1 : 0;
        Races union_of_all, first;
        bool differ = false;
        for (const std::vector<StepResult>& way : schedules.all()) {
            Definition definition(schedules.machine().context(0));
            for (const StepResult& done : way)
                definition.add(done);
            const Pairs right = definition.pairs(), found = detected(schedules.machine(), way);
            EXPECT_EQ(found.racing, right.racing) << about;
            // Where a race is known the others need not be.
            const bool over =
                includes(right.handed_over, found.handed_over) &&
                (found.hands_over || right.handed_over.empty() || !right.racing.empty());
            EXPECT_TRUE(over) << about;
            wrong = found.racing != right.racing || !over;
            if (wrong) break;
            if (&way == &schedules.all().front()) first = right.racing;
            differ = differ || right.racing != first;
            union_of_all.insert(right.racing.begin(), right.racing.end());
        }
        ++(union_of_all.empty() ? free_of_races : racy);
        sometimes += differ ? 1 : 0;
        const HazardSearch found = search_hazards(job, {}, {.others = false});
        if (found.all_schedules && !wrong) {
            ++for_all;
            RaceDetector detector;
            machine::Recording recording;
            recording.observers.push_back(&detector);
            const auto run = play(job, {}, recording);
            wrong = !includes(pairs_found(detector).racing, union_of_all) ||
                    (races_in(found.hazards) == 0) != union_of_all.empty();
            EXPECT_FALSE(wrong) << "not in all schedules: " << about;
        }
        differing += wrong ? 1 : 0;
    }
    fmt::print(
        "{} kernels, {} differ; {} racy, {} not, {} sometimes, {} in all schedules, {} for all\n",
        count, differing, racy, free_of_races, sometimes, all_tried, for_all);
    EXPECT_GT(racy, count / 4);
    EXPECT_GT(free_of_races, count / 50);
    EXPECT_GT(sometimes, count / 20);
    EXPECT_GT(all_tried, count / 12);  // where a sub-group's barrier is an action, too
    EXPECT_GT(for_all, count / 20);
}

constexpr unsigned kLanes = 4;

// One warp of CUDA, statement by statement: which lanes take part, and who meets whom, is known
// beforehand and not asked of the machine.
class WarpKernel {
  public:
    explicit WarpKernel(std::mt19937& random) : random_(random) {
        for (unsigned lane = 0; lane < kLanes; ++lane)
            lanes_[lane].known[lane] = 1;
        for (int left = 3 + any(6); left > 0; --left)
            add_statement();
    }

    std::string text() const {
        return "//! cuda\n#include <cooperative_groups.h>\n"
               "__global__ void k(int* g, int* f) { __shared__ int s[4]; unsigned m; int v = 0;\n"
               "const int t = threadIdx.x; s[t] = 0; __syncthreads(); __syncwarp();\n" +
               text_ + "}\n";
    }
    // Lines of the text, counted from its statements on.
    using Lines = std::set<std::pair<std::uint32_t, std::uint32_t>>;
    const Lines& races() const { return races_; }
    static constexpr std::uint32_t kLinesBefore = 4;

  private:
    using Clock = std::array<unsigned, kLanes>;
    struct Lane {
        Clock known{}, seen{}, ready{};  // by fences: taken since the last one, and given by it
    };
    struct Touch {
        unsigned lane, line, time;
        bool writes, atomic;
    };
    struct Some {
        const char* text;
        unsigned lanes;
    };

    int any(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    static void join(Clock& to, const Clock& from) {
        for (unsigned lane = 0; lane < kLanes; ++lane)
            to[lane] = std::max(to[lane], from[lane]);
    }
    template <typename Call>
    static void each_of(unsigned lanes, Call call) {
        for (unsigned lane = 0; lane < kLanes; ++lane)
            if ((lanes >> lane & 1U) != 0) call(lane);
    }

    void add_statement() {
        static constexpr std::array<Some, 6> kSome{{{"t >= 0", 0xf},
                                                    {"t < 2", 0x3},
                                                    {"t >= 2", 0xc},
                                                    {"t % 2 == 1", 0xa},
                                                    {"t == 0", 0x1},
                                                    {"t > 0", 0xe}}};
        const Some some = kSome[any(5) < 3 ? 0 : any(6)];
        const unsigned rest = ~some.lanes & 0xfU;
        ++line_;
        std::string body;
        switch (any(14)) {
            case 0:
                body = "__syncwarp(__ballot_sync(" + std::to_string(some.lanes) + ", 1));";
                meet(some.lanes);
                break;
            case 1:  // several in one instruction
                text_ += fmt::format("__syncwarp({} ? {} : {});\n", some.text, some.lanes, rest);
                meet(some.lanes);
                meet(rest);
                return;
            case 2:
                text_ += fmt::format("m = __ballot_sync(15, {0}); __syncwarp({0} ? m : 15 & ~m);\n",
                                     some.text);
                meet(some.lanes);
                meet(rest);
                return;
            case 3:  // one after the other
                text_ += fmt::format("if ({}) __syncwarp({}); else __syncwarp({});\n", some.text,
                                     some.lanes, rest);
                meet(some.lanes);
                meet(rest);
                return;
            case 4:
                text_ +=
                    "cooperative_groups::tiled_partition<2>("
                    "cooperative_groups::this_thread_block()).sync();\n";
                meet(0x3);
                meet(0xc);
                return;
            case 5:
                text_ += "__syncthreads();\n";
                meet(0xf);
                return;
            case 6:
            case 7:
                body = "__threadfence_block();";
                each_of(some.lanes, [&](unsigned lane) {
                    Lane& own = lanes_[lane];
                    join(own.known, own.seen);
                    own.ready = own.known;
                    ++own.known[lane];
                });
                break;
            case 8:
            case 9:
                body = "atomicAdd_block(f, 1);";
                each_of(some.lanes, [&](unsigned lane) {
                    join(lanes_[lane].seen, flag_);
                    join(flag_, lanes_[lane].ready);
                });
                break;
            default:
                body = access(some.lanes);
        }
        text_ += fmt::format("if ({}) {}\n", some.text, body);
    }
    void meet(unsigned lanes) {
        Clock all{};
        each_of(lanes, [&](unsigned lane) { join(all, lanes_[lane].known); });
        each_of(lanes, [&](unsigned lane) {
            lanes_[lane].known = all;
            ++lanes_[lane].known[lane];
        });
    }
    std::string access(unsigned lanes) {
        constexpr const char* kCells[] = {"t", "t ^ 1", "t ^ 2", "3 - t", "0", "(t + 1) % 4"};
        const int cell = any(6), kind = any(7);
        const unsigned memory = any(2) == 0 ? 0 : kLanes;
        const bool writes = kind > 2, atomic = kind == 6;
        each_of(lanes, [&](unsigned lane) {
            const unsigned at[] = {lane, lane ^ 1U, lane ^ 2U, 3 - lane, 0, (lane + 1) % kLanes};
            touch(memory + at[cell], {lane, line_, lanes_[lane].known[lane], writes, atomic});
        });
        const std::string name = fmt::format("{}[{}]", memory == 0 ? "s" : "g", kCells[cell]);
        return atomic   ? "atomicAdd(&" + name + ", 1);"
               : writes ? name + " = t;"
                        : "v += " + name + ";";
    }
    void touch(unsigned cell, const Touch& now) {
        for (const Touch& before : touched_[cell]) {
            const bool conflict = before.lane != now.lane && (before.writes || now.writes) &&
                                  !(before.atomic && now.atomic);
            if (conflict && lanes_[now.lane].known[before.lane] < before.time)
                races_.insert({before.line, now.line});
        }
        touched_[cell].push_back(now);
    }

    std::mt19937& random_;
    std::string text_;
    std::uint32_t line_ = 0;
    std::array<Lane, kLanes> lanes_;
    Clock flag_{};
    std::array<std::vector<Touch>, 2 * kLanes> touched_;
    Lines races_;
};

// By barriers of some lanes, by all masks that there can be, and by fences between them.
TEST(RaceOracle, BarriersOrderTheLanesOfAWarpThatMeet) {
    const int count = kSanitized ? 60 : 400;
    int racy = 0;
    for (int i = 0; i < count; ++i) {
        std::mt19937 random(static_cast<unsigned>(i));
        const WarpKernel kernel(random);
        const machine::Job job =
            machine::job_of({kernel.text(), kLanes, kLanes, {{0, 0, 0, 0}, {0}}}, kLanes);
        RaceDetector detector;
        machine::Recording recording;
        recording.observers.push_back(&detector);
        (void)play(job, {}, recording);
        WarpKernel::Lines found;
        const lang::Code& code = *job.launches.front().code;
        for (const Race& race : detector.races()) {
            if (race.by_atomics) continue;
            std::uint32_t a = code.places[race.example.first.place].line;
            std::uint32_t b = code.places[race.example.second.place].line;
            if (b < a) std::swap(a, b);
            found.insert({a - WarpKernel::kLinesBefore, b - WarpKernel::kLinesBefore});
        }
        EXPECT_EQ(found, kernel.races()) << "kernel " << i << ": " << kernel.text();
        racy += found.empty() ? 0 : 1;
    }
    EXPECT_GT(racy, count / 6);
}

TEST(RaceOracle, RandomKernelsHaveTheRacesOfTheDefinition) {
    compare_random_kernels(400, false);
}

TEST(RaceOracle, RandomKernelsHaveTheRacesOfCudasDefinition) {
    compare_random_kernels(200, true);
}

TEST(RaceOracle, RandomKernelsOfGridsHaveTheRacesOfCudasDefinition) {
    compare_random_kernels(200, true, true);
}

}  // namespace
}  // namespace lab::analysis
