#include "analysis/hand_order.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "analysis/rows.h"

namespace lab::analysis {
namespace {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;

// By work-item: the time until which all that it did is known; 0: nothing.
using Clock = std::vector<std::uint64_t>;

void join(Clock& into, const Clock& other) {
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = std::max(into[i], other[i]);
}

class HandOrderFinder {
  public:
    HandOrderFinder(const machine::Machine& machine, const machine::Trace& trace,
                    std::uint64_t first, std::uint64_t end)
        : machine_(machine),
          trace_(trace),
          first_(first),
          end_(end),
          context_(machine.context(trace.action(first).launch)) {}

    HandOrder find() {
        if (context_.groups < 2 || context_.global > kMostHandItems || !find_counters()) return {};
        note_last_accesses();
        clocks_.assign(context_.global, Clock(context_.global));
        passes_.assign(context_.global, 0);
        met_.assign(context_.groups, {});
        met_pass_.assign(context_.groups, 0);
        for_global([&](const Action& action, std::uint64_t time, std::uint64_t item,
                       const Access& access, std::size_t buffer, std::uint64_t cell) {
            come_to(action, item);
            clocks_[item][item] = time;
            if (is_counter_[buffer])
                synchronize(action, item, access, {buffer, cell});
            else
                touch(action, time, item, {buffer, cell});
        });
        return std::move(found_);
    }

  private:
    using Cell = std::pair<std::size_t, std::uint64_t>;
    struct CellHash {
        std::size_t operator()(const Cell& cell) const { return cell.second << 8U ^ cell.first; }
    };
    struct Counter {
        Clock clock;
        std::uint32_t version = 0;
        std::vector<std::uint32_t> seen;  // by work-item: the version
    };
    struct Touched {
        std::uint64_t item = 0, time = 0;
    };
    struct Data {
        Touched write;
        bool written = false;
        std::vector<Touched> reads;  // since the write, the last of each work-item
    };

    // Times count from 1, so that a clock of 0 knows nothing.
    template <typename Each>
    void for_global(Each&& each) const {
        for (std::uint64_t time = first_; time < end_; ++time) {
            const Action& action = trace_.action(time);
            if (action.count == 0 || action.kind == ActionKind::barrier) continue;
            const ObjectInfo& object = context_.objects[action.object];
            if (object.space != machine::Space::global) continue;
            for_accesses(trace_, context_, action, [&](std::uint64_t item, const Access& access) {
                each(action, time - first_ + 1, item, access, object.buffer,
                     access.index * lang::info(action.type).bytes /
                         lang::info(object.element).bytes);
            });
        }
    }

    // Whether there is an array of them that one group writes and another reads.
    bool find_counters() {
        const std::size_t buffers = machine_.job().buffers.size();
        std::vector<bool> written(buffers), valued(buffers);
        for (std::size_t i = 0; i < buffers; ++i)
            valued[i] = machine_.job().buffers[i].is_input;
        for_global([&](const Action& action, std::uint64_t, std::uint64_t, const Access& access,
                       std::size_t buffer, std::uint64_t) {
            if (action.kind == ActionKind::load) return;
            written[buffer] = true;
            valued[buffer] = valued[buffer] || access.node != 0;
        });
        is_counter_.assign(buffers, false);
        for (std::size_t i = 0; i < buffers; ++i)
            is_counter_[i] = written[i] && !valued[i];
        return std::find(is_counter_.begin(), is_counter_.end(), true) != is_counter_.end();
    }

    // By work-item, in the order of passes: the last access of data until the end of that pass.
    void note_last_accesses() {
        std::vector<std::map<std::uint32_t, std::uint64_t>> last(context_.global);
        for_global([&](const Action& action, std::uint64_t time, std::uint64_t item, const Access&,
                       std::size_t buffer, std::uint64_t) {
            if (!is_counter_[buffer]) last[item][action.pass] = time;
        });
        last_.resize(context_.global);
        for (std::size_t item = 0; item < last.size(); ++item)
            for (const auto& [pass, time] : last[item])
                last_[item].emplace_back(
                    pass, last_[item].empty() ? time : std::max(time, last_[item].back().second));
    }

    std::uint64_t last_before(std::size_t item, std::uint32_t pass) const {
        const auto after = std::lower_bound(last_[item].begin(), last_[item].end(),
                                            std::pair{pass, std::uint64_t{0}});
        return after == last_[item].begin() ? 0 : std::prev(after)->second;
    }

    // After a barrier a work-item knows what the others of its group did before it.
    void come_to(const Action& action, std::uint64_t item) {
        if (!context_.code->has_barrier || action.pass == 0) return;
        if (action.pass > met_pass_[action.group]) {
            Clock all(context_.global);
            for (std::uint64_t i = 0; i < context_.local; ++i)
                join(all, clocks_[std::uint64_t{action.group} * context_.local + i]);
            met_[action.group] = std::move(all);
            met_pass_[action.group] = action.pass;
        }
        if (passes_[item] >= action.pass) return;
        passes_[item] = action.pass;
        join(clocks_[item], met_[action.group]);
    }

    void synchronize(const Action& action, std::uint64_t item, const Access& access, Cell at) {
        Counter& counter = counters_[at];
        if (counter.clock.empty()) {
            counter.clock.resize(context_.global);
            counter.seen.resize(context_.global);
        }
        if (action.kind != ActionKind::store && counter.seen[item] < counter.version) {
            counter.seen[item] = counter.version;
            if (tells_of_others(counter.clock, item))
                found_.counters[action.pass].insert(context_.objects[action.object].name);
            join(clocks_[item], counter.clock);
        }
        if (action.kind == ActionKind::load || access.before == access.after) return;
        if (action.kind == ActionKind::atomic)
            join(counter.clock, clocks_[item]);
        else
            counter.clock = clocks_[item];
        ++counter.version;
    }

    // Whether the work-item does not know yet what the clock has of another group.
    bool tells_of_others(const Clock& clock, std::uint64_t item) const {
        for (std::size_t other = 0; other < clock.size(); ++other)
            if (other / context_.local != item / context_.local &&
                clock[other] > clocks_[item][other])
                return true;
        return false;
    }

    void touch(const Action& action, std::uint64_t time, std::uint64_t item, Cell at) {
        const auto knows = [&](const Touched& other) {
            return other.item == item || clocks_[item][other.item] >= other.time;
        };
        Data& data = data_[at];
        const bool writes = action.kind != ActionKind::load;
        bool ordered = !data.written || knows(data.write);
        if (writes) ordered = ordered && std::all_of(data.reads.begin(), data.reads.end(), knows);
        if (!ordered) found_.unordered.insert(at);
        if (writes) {
            data.write = {item, time};
            data.written = true;
            data.reads.clear();
        } else {
            const auto own = std::find_if(data.reads.begin(), data.reads.end(),
                                          [&](const Touched& each) { return each.item == item; });
            if (own == data.reads.end())
                data.reads.push_back({item, time});
            else
                own->time = time;
        }
        check_pass(action, item);
    }

    // At its first access in a pass a work-item must know all that other groups did before it.
    void check_pass(const Action& action, std::uint64_t item) {
        if (!checked_.insert({item, action.pass}).second) return;
        bool all = true, others = false;
        for (std::size_t other = 0; other < context_.global && all; ++other) {
            if (other / context_.local == item / context_.local) continue;
            const std::uint64_t last = last_before(other, action.pass);
            others = others || last > 0;
            all = last <= clocks_[item][other];
        }
        if (!others) return;
        const auto [at, news] = found_.known.try_emplace(action.pass, all);
        if (!news) at->second = at->second && all;
    }

    const machine::Machine& machine_;
    const machine::Trace& trace_;
    std::uint64_t first_, end_;
    const machine::Context& context_;
    std::vector<bool> is_counter_;  // by buffer
    std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> last_;
    std::vector<Clock> clocks_;          // by work-item
    std::vector<std::uint32_t> passes_;  // by work-item: the barriers that its clock knows
    std::vector<Clock> met_;             // by group: at its last barrier
    std::vector<std::uint32_t> met_pass_;
    std::unordered_map<Cell, Counter, CellHash> counters_;
    std::unordered_map<Cell, Data, CellHash> data_;
    std::set<std::pair<std::uint64_t, std::uint32_t>> checked_;  // work-items and passes
    HandOrder found_;
};

}  // namespace

HandOrder hand_order(const machine::Machine& machine, const machine::Trace& trace,
                     std::uint64_t first, std::uint64_t end) {
    return HandOrderFinder(machine, trace, first, end).find();
}

}  // namespace lab::analysis
