// The race detector against the definition itself: on random small kernels, under all schedules,
// a data race is a pair of conflicting accesses that no path of happens-before joins.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "analysis/races/hazard_search.h"
#include "lang/tree/function.h"
#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::ActionKind;
using machine::Done;

// Place and kind of either, the lower one first; and whether of two groups.
using RacePair = std::tuple<std::uint32_t, bool, std::uint32_t, bool, bool>;

RacePair pair_of(std::uint32_t a, bool a_writes, std::uint32_t b, bool b_writes, bool across) {
    if (std::tie(b, b_writes) < std::tie(a, a_writes)) {
        std::swap(a, b);
        std::swap(a_writes, b_writes);
    }
    return {a, a_writes, b, b_writes, across};
}

// What one work-item does, in the order of the run.
struct Node {
    std::uint32_t item = 0, group = 0, place = 0;
    bool access = false, writes = false, atomic = false;
    std::uint16_t space = 0;                        // of an access
    std::tuple<std::uint32_t, std::uint64_t> cell;  // an object, with its group where it is local
    bool acquires = false, releases = false, barrier = false;
    std::uint16_t flags = 0;
    std::uint32_t number = 0;  // of a barrier, in its item
};

class Definition {
  public:
    explicit Definition(const machine::Context& context) : context_(context) {}

    void add(const Done& done) {
        auto detail = done.details.begin();
        std::uint64_t failed = 0;
        const auto details = [&](std::size_t before) {
            for (; detail != done.details.end() && detail->part <= before; ++detail) {
                if (detail->detail.kind == machine::Detail::Kind::failed)
                    failed = detail->detail.mask;
                else if (detail->detail.kind == machine::Detail::Kind::fence)
                    add_fence(detail->detail);
            }
        };
        for (std::size_t i = 0; i < done.parts.size(); ++i) {
            details(i);
            add_part(done, done.parts[i], failed);
            failed = 0;
        }
        details(done.parts.size());
    }

    std::set<RacePair> races() {
        std::set<RacePair> found;
        for (const std::uint16_t space : {lang::kFenceLocal, lang::kFenceGlobal}) {
            order(space);
            for (std::size_t b = 0; b < nodes_.size(); ++b)
                for (std::size_t a = 0; a < b; ++a)
                    if (conflict(nodes_[a], nodes_[b], space) && !ordered(a, b))
                        found.insert(pair_of(nodes_[a].place, nodes_[a].writes, nodes_[b].place,
                                             nodes_[b].writes, nodes_[a].group != nodes_[b].group));
        }
        return found;
    }

  private:
    struct Edge {  // from a release, or from an atomic itself, to an acquire
        std::size_t from, to;
        bool own_writes = false, reads_only = false, itself = false;
    };

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
        return result;
    }
    void add_fence(const machine::Detail& detail) {
        for (const unsigned lane : lanes_of(detail.mask)) {
            Node result = node(detail.group, detail.warp, lane);
            result.acquires = (detail.flags & lang::kFenceReads) != 0;
            result.releases = (detail.flags & lang::kFenceWrites) != 0;
            result.flags = detail.flags & 3U;
            nodes_.push_back(result);
        }
    }
    void add_part(const Done& done, const machine::Part& part, std::uint64_t failed) {
        const machine::Action& action = part.action;
        std::size_t index = part.first;
        for (const unsigned lane : lanes_of(action.mask)) {
            Node result = node(action.group, action.warp, lane);
            result.place = action.place;
            if (action.kind == ActionKind::barrier) {
                result.barrier = result.acquires = result.releases = true;
                result.flags = action.object;
                result.number = barriers_[result.item]++;
                nodes_.push_back(result);
                continue;
            }
            const machine::ObjectInfo& object = context_.objects[action.object];
            const bool local = object.space == machine::Space::local;
            result.access = true;
            result.atomic = action.kind == ActionKind::atomic;
            result.writes =
                action.kind == ActionKind::store || (result.atomic && (failed >> lane & 1U) == 0);
            result.space = local ? lang::kFenceLocal : lang::kFenceGlobal;
            result.cell = {action.object * 64U + (local ? action.group + 1 : 0),
                           done.accesses[index++].index};
            nodes_.push_back(result);
        }
    }

    static bool conflict(const Node& a, const Node& b, std::uint16_t space) {
        return a.access && b.access && a.space == space && b.space == space && a.cell == b.cell &&
               a.item != b.item && (a.writes || b.writes) && !(a.atomic && b.atomic);
    }
    static bool full(const Node& node) { return node.acquires && node.releases; }

    // What happens before what, for data in that memory.
    void order(std::uint16_t space) {
        const std::size_t count = nodes_.size();
        reach_.assign(count, std::vector<bool>(count));
        special_.clear();
        for (std::size_t a = 0; a < count; ++a) {
            reach_[a][a] = true;
            for (std::size_t b = a + 1; b < count; ++b)
                if (nodes_[a].item == nodes_[b].item) reach_[a][b] = true;
        }
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b)
                if (nodes_[a].barrier && nodes_[b].barrier && nodes_[a].group == nodes_[b].group &&
                    nodes_[a].number == nodes_[b].number && (nodes_[a].flags & space) != 0)
                    reach_[a][b] = true;
        for (std::size_t x = 0; x < count; ++x)
            if (nodes_[x].atomic && nodes_[x].writes) follow(x, space);
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t a = 0; a < count; ++a)
                for (std::size_t b = 0; reach_[a][k] && b < count; ++b)
                    if (reach_[k][b]) reach_[a][b] = true;
    }
    // The chain of atomics from `x` on, and the fences on both sides of it.
    void follow(std::size_t x, std::uint16_t space) {
        const auto fences = [&](const Node& node) {
            const std::uint16_t wanted = space | nodes_[x].space;
            return (node.flags & wanted) == wanted;
        };
        for (std::size_t y = x + 1; y < nodes_.size(); ++y) {
            if (!nodes_[y].access || nodes_[y].cell != nodes_[x].cell) continue;
            if (!nodes_[y].atomic && nodes_[y].writes) return;
            if (!nodes_[y].atomic) continue;
            for (std::size_t q = y + 1; q < nodes_.size(); ++q) {
                if (nodes_[q].item != nodes_[y].item || !nodes_[q].acquires || !fences(nodes_[q]))
                    continue;
                special_.push_back({x, q, false, !full(nodes_[q]), true});
                for (std::size_t r = 0; r < x; ++r) {
                    if (nodes_[r].item != nodes_[x].item || !nodes_[r].releases ||
                        !fences(nodes_[r]))
                        continue;
                    if (full(nodes_[r]) && full(nodes_[q]))
                        reach_[r][q] = true;
                    else
                        special_.push_back({r, q, !full(nodes_[r]), !full(nodes_[q]), false});
                }
            }
        }
    }
    bool begins(std::size_t a, const Edge& edge) const {
        if (edge.itself) return a == edge.from;
        if (!edge.own_writes) return reach_[a][edge.from];
        return nodes_[a].writes && nodes_[a].item == nodes_[edge.from].item && a < edge.from;
    }
    bool ends(const Edge& edge, std::size_t b) const {
        if (!edge.reads_only) return reach_[edge.to][b];
        return !nodes_[b].writes && nodes_[b].item == nodes_[edge.to].item && edge.to < b;
    }
    bool ordered(std::size_t a, std::size_t b) const {
        if (reach_[a][b]) return true;
        for (const Edge& first : special_) {
            if (!begins(a, first)) continue;
            if (ends(first, b)) return true;
            if (first.reads_only) continue;
            for (const Edge& last : special_)
                if (!last.own_writes && !last.itself && reach_[first.to][last.from] &&
                    ends(last, b))
                    return true;
        }
        return false;
    }

    const machine::Context& context_;
    std::vector<Node> nodes_;
    std::map<std::uint32_t, std::uint32_t> barriers_;  // passed, by item
    std::vector<std::vector<bool>> reach_;
    std::vector<Edge> special_;
};

std::set<RacePair> races_found(const RaceDetector& detector) {
    std::set<RacePair> found;
    for (const Race& race : detector.races())
        if (!race.by_atomics)
            found.insert(pair_of(race.example.first.place, race.example.first.writes,
                                 race.example.second.place, race.example.second.writes,
                                 race.across_groups));
    return found;
}

// All ways through a job, or as many as `most`.
class AllSchedules {
  public:
    AllSchedules(const machine::Job& job, std::size_t most, std::mt19937& random)
        : machine_(job, false), most_(most), random_(random) {
        machine::State state;
        machine_.start(state, nullptr);
        go_on(state);
    }
    const machine::Machine& machine() const { return machine_; }
    const std::vector<std::vector<Done>>& all() const { return all_; }

  private:
    void go_on(const machine::State& state) {
        if (all_.size() >= most_) return;
        if (machine_.done(state)) {
            all_.push_back(way_);
            return;
        }
        std::vector<machine::Choice> choices;
        for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp)
                if (machine::is_ready(state, {slot, warp})) choices.push_back({slot, warp});
        std::shuffle(choices.begin(), choices.end(), random_);
        for (const machine::Choice& choice : choices) {
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
    std::vector<Done> way_;
    std::vector<std::vector<Done>> all_;
};

std::set<RacePair> detected(const machine::Machine& machine, const std::vector<Done>& way) {
    RaceDetector detector;
    detector.begin(machine);
    for (const Done& done : way) {
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
    return races_found(detector);
}

// A few accesses each, with atomics, fences of every kind, and barriers of every flag.
machine::Example racing_kernel(std::mt19937& random, std::uint64_t groups, std::uint64_t items) {
    const auto any = [&](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    const auto cell = [&] {
        return std::string(any(3) == 0 ? "b[" : "x[") + std::to_string(any(2)) + "]";
    };
    const auto flags = [&]() -> std::string {
        const char* all[] = {"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                             "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"};
        return all[any(4) % 3];
    };
    const auto fence = [&] {
        const char* all[] = {"mem_fence", "mem_fence", "read_mem_fence", "write_mem_fence"};
        return fmt::format("{}({});", all[any(4)], flags());
    };
    const auto statement = [&]() -> std::string {
        switch (any(9)) {
            case 0:
            case 1:
                return fmt::format("{} = {};", cell(), any(3));
            case 2:
                return fmt::format("r += {};", cell());
            case 3:
                return fmt::format("atomic_inc(&{});", cell());
            case 4:
                return fmt::format("r += atomic_cmpxchg(&{}, {}, {});", cell(), any(2), any(3));
            case 5:
            case 6:  // releases
                return fmt::format("{} = 1; {} atomic_inc(&{});", cell(), fence(), cell());
            default:  // acquires
                return fmt::format("if (atomic_or(&{}, 0) != 0) {{ {} r += {}; }}", cell(), fence(),
                                   cell());
        }
    };
    machine::Example example;
    example.text =
        "kernel void k(volatile global int* x, volatile local int* b) {\n"
        "const int g = get_global_id(0);\nint r = 0;\n"
        "if (get_local_id(0) == 0) { b[0] = 0; b[1] = 0; }\nbarrier(CLK_LOCAL_MEM_FENCE);\n";
    const bool two_phases = items > 1 && any(2) == 0;
    for (int phase = 0; phase < (two_phases ? 2 : 1); ++phase) {
        if (phase > 0) example.text += fmt::format("barrier({});\n", flags());
        if (any(4) == 0) example.text += statement() + "\n";  // of all of them
        for (std::uint64_t item = 0; item < groups * items; ++item) {
            if (groups * items > 2 && any(4) == 0) continue;
            example.text += fmt::format("if (g == {}) {{ {}", item, statement());
            if (!two_phases && groups * items < 4) example.text += " " + statement();
            example.text += " }\n";
        }
    }
    example.text += "}\n";
    example.global = groups * items;
    example.local = items;
    example.buffers = {{any(2), any(2)}};
    example.local_ints = {2};
    return example;
}

// Thousands by hand: LAB_RANDOM_KERNELS=5000.
TEST(RaceOracle, RandomKernelsHaveTheRacesOfTheDefinition) {
    const char* asked = std::getenv("LAB_RANDOM_KERNELS");
    const int count = asked != nullptr ? std::atoi(asked) : 300;
    constexpr std::size_t kMostSchedules = 150;
    std::mt19937 random(1);
    constexpr std::pair<std::uint64_t, std::uint64_t> kSizes[] = {{2, 1}, {1, 2}, {3, 1},
                                                                  {1, 3}, {2, 2}, {1, 4}};
    int racy = 0, free_of_races = 0, sometimes = 0, all_tried = 0, for_all = 0;
    for (int i = 0; i < count; ++i) {
        const auto [groups, items] = kSizes[i % 6];
        const machine::Example example = racing_kernel(random, groups, items);
        const auto lanes = static_cast<std::uint32_t>(1 + random() % 2);
        const machine::Job job = machine::job_of(example, lanes, 0);
        const AllSchedules schedules(job, kMostSchedules, random);
        all_tried += schedules.all().size() < kMostSchedules ? 1 : 0;
        std::set<RacePair> union_of_all, first;
        bool differ = false;
        for (const std::vector<Done>& way : schedules.all()) {
            Definition definition(schedules.machine().context(0));
            for (const Done& done : way)
                definition.add(done);
            const std::set<RacePair> right = definition.races();
            ASSERT_EQ(detected(schedules.machine(), way), right) << example.text << lanes;
            if (&way == &schedules.all().front()) first = right;
            differ = differ || right != first;
            union_of_all.insert(right.begin(), right.end());
        }
        ++(union_of_all.empty() ? free_of_races : racy);
        sometimes += differ ? 1 : 0;
        const HazardSearch found = search_hazards(job, {}, {.others = false});
        if (!found.all_schedules) continue;
        ++for_all;
        RaceDetector detector;
        machine::Recording recording;
        recording.observers.push_back(&detector);
        const auto run = play(job, {}, recording);
        const std::set<RacePair> most = races_found(detector);
        EXPECT_TRUE(
            std::includes(most.begin(), most.end(), union_of_all.begin(), union_of_all.end()))
            << example.text;
        EXPECT_EQ(found.hazards.empty(), union_of_all.empty()) << example.text;
    }
    EXPECT_GT(racy, count / 4);
    EXPECT_GT(free_of_races, count / 20);
    EXPECT_GT(sometimes, count / 20);
    EXPECT_GT(all_tried, count / 4);
    EXPECT_GT(for_all, count / 20);
}

}  // namespace
}  // namespace lab::analysis
