// A search through all schedules that reduces nothing, for tests of those that do, and random
// kernels to compare them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "machine/fault.h"
#include "machine/state_key.h"
#include "support/example_outcomes.h"
#include "support/sanitized.h"

namespace lab::analysis {

using machine::Example;

// What a search finds that tries each action in each state, and keeps all of it.
struct Plain {
    std::set<std::string> results;
    bool never_ends = false, goes_round = false;
};

inline Plain plain_search(const Example& example, std::uint32_t lanes, std::uint32_t resident) {
    machine::Machine machine(machine::job_of(example, lanes, resident), false);
    const machine::StateKeys keys(machine);
    Plain plain;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> numbers;
    std::vector<machine::State> states;
    std::vector<std::vector<std::size_t>> next;
    std::vector<bool> ends;
    const auto number_of = [&](machine::State state) {
        const machine::StateKey key = keys.of(state);
        const auto [at, fresh] = numbers.try_emplace({key.low, key.high}, states.size());
        if (fresh) states.push_back(std::move(state));
        return at->second;
    };
    machine::State start;
    machine.start(start, nullptr);
    number_of(std::move(start));
    for (std::size_t i = 0; i < states.size(); ++i) {
        next.emplace_back();
        ends.push_back(machine.done(states[i]));
        if (ends[i]) plain.results.insert(ending_of(machine, states[i]).result);
        for (std::size_t slot = 0; slot < states[i].groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < states[i].groups[slot]->warps.size(); ++warp) {
                if (!machine::is_ready(states[i], {slot, warp})) continue;
                machine::State after = states[i];
                machine::Done parts;
                try {
                    machine.act(after, {slot, warp}, parts, nullptr);
                    next[i].push_back(number_of(std::move(after)));
                } catch (const machine::Fault& fault) {
                    plain.results.insert(fault.what);
                    ends[i] = true;
                }
            }
    }
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = next.size(); i-- > 0;) {
            if (ends[i]) continue;
            for (const std::size_t to : next[i])
                if (ends[to]) ends[i] = more = true;
        }
    }
    plain.never_ends = std::find(ends.begin(), ends.end(), false) != ends.end();
    // Depth first: an edge to a state that is on the way is a round.
    enum class Seen : std::uint8_t { no, on_the_way, yes };
    std::vector<Seen> seen(next.size(), Seen::no);
    std::vector<std::pair<std::size_t, std::size_t>> way;  // a state, and how many were tried
    for (std::size_t root = 0; root < next.size(); ++root) {
        if (!ends[root] || seen[root] != Seen::no) continue;
        seen[root] = Seen::on_the_way;
        way.emplace_back(root, 0);
        while (!way.empty()) {
            auto& [at, tried] = way.back();
            if (tried == next[at].size()) {
                seen[at] = Seen::yes;
                way.pop_back();
                continue;
            }
            const std::size_t to = next[at][tried++];
            if (!ends[to]) continue;
            if (seen[to] == Seen::on_the_way) plain.goes_round = true;
            if (seen[to] != Seen::no) continue;
            seen[to] = Seen::on_the_way;
            way.emplace_back(to, 0);
        }
    }
    return plain;
}

inline int random_kernels() {  // thousands by hand: LAB_RANDOM_KERNELS=5000
    const char* asked = std::getenv("LAB_RANDOM_KERNELS");
    return asked != nullptr ? std::atoi(asked) : kSanitized ? 100 : 300;
}

struct Seen {
    int hangs = 0, rounds = 0, skips = 0;
    std::uint64_t states = 0, all_states = 0;  // with all reductions, and with none
};

inline void expect_as_plain(const Example& example, std::uint32_t lanes, std::uint32_t resident,
                            Seen& seen) {
    Plain plain = plain_search(example, lanes, resident);
    seen.hangs += plain.never_ends ? 1 : 0;
    seen.rounds += plain.goes_round ? 1 : 0;
    if (plain.never_ends) plain.results.insert("never ends");
    for (const Reduction reduction : {Reduction::none, Reduction::stubborn}) {
        OutcomesOptions options = with(reduction);
        options.shortest = false;
        const Outcomes found = outcomes_in(example, lanes, resident, options);
        const std::string shape =
            fmt::format("{}{} lanes, {} groups at once", example.text, lanes, resident);
        ASSERT_TRUE(found.complete) << shape;
        ASSERT_EQ(results_of(found), plain.results) << shape;
        ASSERT_EQ(found.needs_progress, plain.goes_round) << shape;
        for (const PossibleResult& each : found.results) {
            if (each.never_ends) continue;
            ASSERT_EQ(replayed(example, each.turns, lanes, resident), each.ending.result) << shape;
        }
        seen.skips += found.skips > 0 ? 1 : 0;
        (reduction == Reduction::none ? seen.all_states : seen.states) += found.states;
    }
}

inline constexpr std::pair<std::uint64_t, std::uint64_t> kShapes[] = {
    {2, 1}, {3, 1}, {1, 2}, {2, 2}};

// Both searches of kernels that `write` makes up, in all shapes.
template <typename Write>
Seen search_random(std::uint32_t seed, const Write& write) {
    std::mt19937 random(seed);
    Seen seen;
    for (int i = 0; i < random_kernels() && !testing::Test::HasFatalFailure(); ++i) {
        const auto [groups, items] = kShapes[i % 4];
        const Example example = write(random, groups, items);
        const auto lanes = static_cast<std::uint32_t>(1 + random() % 2);
        expect_as_plain(example, lanes, static_cast<std::uint32_t>(random() % 3), seen);
    }
    return seen;
}

}  // namespace lab::analysis
