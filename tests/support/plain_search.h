// A search through all schedules that reduces nothing, for tests of the one that does. It shares
// the machine with it and nothing else: no keys, no liveness, no graph.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/job.h"
#include "machine/schedule.h"
#include "support/example_outcomes.h"
#include "support/sanitized.h"

namespace lab::analysis {

using machine::Example;

// All that a run left: each byte of each buffer, "?" where nobody wrote, and what each work-item
// printed.
inline Ending all_of(const machine::Machine& machine, const machine::State& state) {
    std::string text;
    for (const machine::PagedBuffer& buffer : state.memory) {
        text += text.empty() ? "" : " | ";
        const machine::Page& page = *buffer.pages.at(0);
        for (std::uint64_t i = 0; i < buffer.bytes; i += 4) {
            std::uint32_t value = 0;
            std::memcpy(&value, page.bytes.data() + i, 4);
            for (std::uint64_t k = i; k < i + 4; ++k)
                text += page.written.all(k, 1) ? "" : "?";
            text += std::to_string(value) + " ";
        }
    }
    std::map<std::uint64_t, std::string> printed;
    for (const machine::Print& each : state.prints.all())
        printed[each.item] += each.text;
    for (const auto& [item, what] : printed)
        text += fmt::format("| {} prints {}", item, what);
    (void)machine;
    return {text, {}};
}

// All of a state, as bytes.
class WholeState {
  public:
    explicit WholeState(const machine::State& state) {
        put(state.launch);
        put(state.next_group);
        for (const machine::PagedBuffer& buffer : state.memory)
            for (const auto& page : buffer.pages) {
                put(page->bytes.data(), std::min<std::size_t>(buffer.bytes, page->bytes.size()));
                put(page->written.bits().data(), (buffer.bytes + 7) / 8);
            }
        for (const auto& group : state.groups)
            put(*group);
        std::map<std::uint64_t, std::string> printed;
        for (const machine::Print& each : state.prints.all())
            printed[each.item] += each.text + '\n';
        for (const auto& [item, what] : printed) {
            put(item);
            put(what.data(), what.size());
        }
    }
    std::string bytes;

  private:
    void put(const void* data, std::size_t size) {
        bytes.append(static_cast<const char*>(data), size);
    }
    template <typename T>
    void put(const T& value) {
        put(&value, sizeof value);
    }
    template <typename T>
    void put(const std::vector<T>& values) {
        put(values.data(), values.size() * sizeof(T));
    }
    void put(const machine::Group& group) {
        put(group.id);
        for (const machine::Warp& warp : group.warps) {
            put(warp.pc);
            put(warp.status);
            put(warp.exec);
        }
        put(group.registers);
        put(group.masks);
        for (const machine::Copy& copy : group.copies)
            for (const std::uint64_t each :
                 {copy.event, copy.to, copy.from, copy.elements, copy.stride})
                put(each);
        for (const machine::Block* block : {&group.local, &group.own}) {
            put(block->bytes);
            put(block->written.bits());
        }
    }
};

// What a search finds that tries each action in each state, and keeps all of it.
struct Plain {
    std::set<std::string> results;  // and faults, and "never ends"
    bool goes_round = false;        // and each state has an end
    std::size_t states = 0;
};

// Nothing if there are more states than that, or some run does not come to its end or a state
// again.
inline std::optional<Plain> plain_search(const machine::Job& job, std::size_t most,
                                         const EndingOf& ending = all_of) {
    machine::Machine machine(job, false);
    Plain plain;
    std::unordered_map<std::string, std::size_t> numbers;
    std::vector<machine::State> states;
    std::vector<std::vector<std::size_t>> next;
    std::vector<bool> ends;
    const auto number_of = [&](machine::State state) {
        const auto [at, fresh] = numbers.try_emplace(WholeState(state).bytes, states.size());
        if (fresh) states.push_back(std::move(state));
        return at->second;
    };
    machine::State start;
    try {
        machine.start(start, nullptr);
    } catch (const machine::Fault& fault) {
        if (fault.kind == machine::Fault::Kind::budget) return std::nullopt;
        plain.results = {fault.what};
        return plain;
    }
    number_of(std::move(start));
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states.size() > most) return std::nullopt;
        next.emplace_back();
        ends.push_back(machine.done(states[i]));
        if (ends[i]) plain.results.insert(ending(machine, states[i]).result);
        const machine::State from = std::move(states[i]);
        for (const machine::WarpRef& choice : machine::ready_choices(from)) {
            machine::State after = from;
            after.steps = 0;
            machine::StepResult parts;
            try {
                machine.act(after, choice, parts, nullptr);
                next[i].push_back(number_of(std::move(after)));
            } catch (const machine::Fault& fault) {
                if (fault.kind == machine::Fault::Kind::budget) return std::nullopt;
                plain.results.insert(fault.what);
                ends[i] = true;
            }
        }
    }
    plain.states = states.size();
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = next.size(); i-- > 0;) {
            if (ends[i]) continue;
            for (const std::size_t to : next[i])
                if (ends[to]) ends[i] = more = true;
        }
    }
    if (std::find(ends.begin(), ends.end(), false) != ends.end()) {
        plain.results.insert("never ends");
        return plain;
    }
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

struct Seen {
    int kernels = 0, hangs = 0, rounds = 0, skips = 0, faults = 0, several = 0;
    std::uint64_t states = 0, all_states = 0;  // with all reductions, and with none
};

// What `found` leaves out, or has too much; empty: it is just what a plain search finds.
inline std::string difference(const machine::Job& job, const Plain& plain, const Outcomes& found,
                              const EndingOf& ending = all_of) {
    if (!found.complete) return "incomplete";
    const std::set<std::string> results = results_of(found);
    for (const std::string& each : plain.results)
        if (results.count(each) == 0) return "misses " + each;
    for (const std::string& each : results)
        if (plain.results.count(each) == 0) return "invents " + each;
    if (found.needs_progress != plain.goes_round)
        return plain.goes_round ? "misses that it may go round" : "invents that it may go round";
    for (const PossibleResult& each : found.results) {
        if (each.never_ends) continue;
        machine::SchedulingPolicy order = machine::order_of(machine::SchedulingPolicy::Kind::list);
        order.turns = each.turns;
        const auto run = play(job, std::move(order));
        const std::string replayed =
            run.fault() ? run.fault()->what : ending(run.machine(), run.end()).result;
        if (replayed != each.ending.result)
            return fmt::format("replays as {} what it has as {}", replayed, each.ending.result);
    }
    return {};
}

inline void expect_as_plain(const machine::Job& job, const std::string& about, Seen& seen,
                            std::size_t most = 200'000,
                            std::initializer_list<Reduction> reductions = {Reduction::none,
                                                                           Reduction::stubborn}) {
    const std::optional<Plain> plain = plain_search(job, most);
    if (!plain) return;
    ++seen.kernels;
    seen.hangs += plain->results.count("never ends") > 0 ? 1 : 0;
    seen.rounds += plain->goes_round ? 1 : 0;
    seen.several += plain->results.size() > 1 ? 1 : 0;
    seen.all_states += plain->states;
    for (const Reduction reduction : reductions) {
        OutcomesOptions options = with(reduction);
        options.shortest = false;
        const Outcomes found = outcomes_of(job, all_of, options);
        const std::string differs = difference(job, *plain, found);
        if (!differs.empty())
            ADD_FAILURE() << about << "\n"
                          << (reduction == Reduction::none ? "all orders: " : "") << differs;
        if (reduction != Reduction::stubborn) continue;
        seen.skips += found.skips > 0 ? 1 : 0;
        seen.states += found.states;
        seen.faults += std::any_of(found.results.begin(), found.results.end(),
                                   [](const PossibleResult& each) { return each.fault; })
                           ? 1
                           : 0;
    }
}

inline void expect_as_plain(const Example& example, std::uint32_t lanes, std::uint32_t resident,
                            Seen& seen) {
    expect_as_plain(machine::job_of(example, lanes, resident),
                    fmt::format("{}{} lanes, {} groups at once", example.text, lanes, resident),
                    seen);
}

inline constexpr std::pair<std::uint64_t, std::uint64_t> kShapes[] = {
    {2, 1}, {3, 1}, {1, 2}, {2, 2}};

}  // namespace lab::analysis
