#include "analysis/rows.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/problem.h"
#include "base/ranges.h"

namespace lab::analysis {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::Context;
using machine::Node;
using machine::ObjectInfo;
using machine::Trace;

// Finds where groups wait for each other by hand, spinning on a counter or a flag: an order that
// holds in practice, whatever OpenCL promises (the race detector judges by the letter).

struct HandOrder {
    // By Action::pass: whether each work-item knew, before its first access of data in that pass,
    // that the other groups had finished all earlier ones.
    std::map<std::uint32_t, bool> known;
    // By Action::pass: the counters from which some work-item learned in it what others had done,
    // each with where it read them in the code.
    using Waits = std::set<std::pair<std::string, std::uint32_t>>;
    std::map<std::uint32_t, Waits> counters;
    // With its Action::pass, in order. A wait is kept once, with what was found at its end.
    std::vector<std::pair<std::uint32_t, Signal>> signals;
    // Buffers and their cells with two conflicting accesses that no waiting orders.
    std::set<std::pair<std::size_t, std::uint64_t>> unordered;
};

namespace {

// Every pair of them has a clock. Work-items of a launch in which hand-made barriers are
// recognised; in a larger one they make no rows.
constexpr std::uint64_t kMostHandItems = 1024;

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
        std::set<std::string> signalling;  // counters from which some learned
        for (const auto& [pass, waits] : found_.counters)
            for (const auto& [counter, place] : waits)
                signalling.insert(counter);
        std::erase_if(found_.signals,
                      [&](const auto& each) { return !signalling.contains(each.second.array); });
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
        return contains(is_counter_, true);
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
        const bool changes = action.kind != ActionKind::load && access.before != access.after;
        if (action.kind != ActionKind::store && counter.seen[item] < counter.version) {
            counter.seen[item] = counter.version;
            if (tells_of_others(counter.clock, item)) {
                found_.counters[action.pass].insert(
                    {context_.objects[action.object].name, action.place});
                if (!changes) add_signal(Signal::Kind::waits, action, item, access, at.second);
            }
            join(clocks_[item], counter.clock);
        }
        if (!changes) return;
        add_signal(action.kind == ActionKind::atomic ? Signal::Kind::counts : Signal::Kind::sets,
                   action, item, access, at.second);
        if (action.kind == ActionKind::atomic)
            join(counter.clock, clocks_[item]);
        else
            counter.clock = clocks_[item];
        ++counter.version;
    }

    void add_signal(Signal::Kind kind, const Action& action, std::uint64_t item,
                    const Access& access, std::uint64_t cell) {
        const ObjectInfo& object = context_.objects[action.object];
        const Signal signal{kind,
                            static_cast<std::int64_t>(item),
                            object.name,
                            cell,
                            {access.before, action.type},
                            {access.after, action.type},
                            context_.code->places[action.place].line,
                            object.cell(cell)};
        const auto same = [&](const std::pair<std::uint32_t, Signal>& each) {
            return each.first == action.pass && each.second.kind == kind &&
                   each.second.item == signal.item && each.second.array == signal.array &&
                   each.second.cell == cell;
        };
        auto& signals = found_.signals;
        if (kind == Signal::Kind::waits)
            signals.erase(std::remove_if(signals.begin(), signals.end(), same), signals.end());
        signals.emplace_back(action.pass, signal);
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
        if (writes) ordered = ordered && all_of(data.reads, knows);
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

template <typename Writers>
auto first_of(const Writers& writers, std::uint64_t item) {
    return std::lower_bound(writers.begin(), writers.end(),
                            std::pair{static_cast<std::uint32_t>(item), 0U});
}

StaleValue account_of(const StaleRead& read, const machine::Context& context) {
    StaleValue value;
    value.item = static_cast<std::int64_t>(read.item);
    const machine::ObjectInfo& object = context.objects[read.object];
    value.array = object.name;
    value.cell = read.cell;
    value.name = object.cell(read.cell);
    // Who comes too late found what was written, if by somebody who found nothing.
    const auto known = [&](std::uint64_t bits, bool unwritten) -> CellValue {
        return {unwritten ? std::nullopt : std::optional(bits), read.type};
    };
    value.took = known(read.took, read.unwritten && !read.too_new);
    value.missed =
        known(read.missed, read.too_new && may_be_unwritten(object, read.missed, read.type));
    value.writer = static_cast<std::int64_t>(read.writer);
    value.line = context.code->places[read.place].line;
    value.write_line = context.code->places[read.write_place].line;
    value.too_new = read.too_new;
    value.update = read.update;
    value.time = read.time;
    return value;
}

RacedCell account_of(const Race& race, const Race::Spot& spot, const machine::Context& context) {
    const auto line = [&](const Race::Side& side) { return context.code->places[side.place].line; };
    return {.cell = spot.cell,
            .first = static_cast<std::int64_t>(spot.first),
            .second = static_cast<std::int64_t>(spot.second),
            .first_writes = race.example.first.writes,
            .second_writes = race.example.second.writes,
            .first_line = line(race.example.first),
            .second_line = line(race.example.second),
            .across_groups = race.across_groups};
}

}  // namespace

// Builds the rows of a run from its trace, launch by launch: what each pass left in memory, who
// wrote it and from which values. The lattice shows these rows; the step view's are made from them.
//
// A pass gives one row per array into which values that come from the input (or from uninitialised
// memory) are stored; counters and flags give none. A row of local memory holds the cells of all
// groups side by side. A cell's value is what the last store of this or an earlier pass left in it;
// its sources are the cells of the row above that went into the value, by lineage. If no value of a
// launch comes from an input, all its stores count.
//
// The rows of a launch are in the order of its passes, whenever its work-items reached them. If
// work-items race, a store of an earlier pass may come after one of a later pass to the same cell:
// in the last row of its array the cell shows what memory holds at the launch's end, and is marked.

// Rows of a run; of more, the first ones and the last are kept, and that has the count of those
// left out.
constexpr std::size_t kMostRows = 500;

struct RowLimits {
    std::uint64_t cells;      // per array, all groups together; larger arrays give no rows
    std::uint64_t row_bytes;  // of all rows, one per cell
    std::size_t marks;        // stale reads and races to keep
};

// Where in a run a row comes from.
struct RowTrace {
    std::uint32_t launch = 0, pass = 0;  // as Action has them, from 0
    std::uint32_t object = 0;            // of the launch
    bool local = false;                  // cells of all groups side by side
    std::size_t buffer = 0;              // of global memory: of Job::buffers
    std::uint64_t group_cells = 0;       // per group if it is local
};

class RowBuilder {
  public:
    // The first row is buffer `start` at the beginning. It has no cells if they exceed the limit.
    RowBuilder(const machine::Machine& machine, std::size_t start, const RowLimits& limits)
        : machine_(machine), limits_(limits) {
        for (const machine::Buffer& buffer : machine.job().buffers) {
            Held& array = buffers_.emplace_back(
                held_of(buffer.element, buffer.bytes / lang::info(buffer.element).bytes, 1));
            if (!buffer.initial.empty())
                std::copy_n(buffer.initial.data(), array.bytes.size(), array.bytes.data());
        }
        add_start(start);
    }

    // The next launch: actions [first, end) of the trace, with or without barriers.
    void add_launch(const Trace& trace, std::uint64_t first, std::uint64_t end) {
        begin_launch(trace.action(first).launch);
        // Actions by pass; within a pass in the order of time.
        std::map<std::uint32_t, std::vector<std::uint64_t>> by_pass;
        any_value_ = true;
        for (std::uint64_t time = first; time < end; ++time) {
            const Action& action = trace.action(time);
            if (action.kind == ActionKind::barrier) continue;
            std::vector<std::uint64_t>& times = by_pass[action.pass];
            if (action.count == 0 && action.kind != ActionKind::collective) continue;
            times.push_back(time);
            if (action.kind == ActionKind::load || !any_value_) continue;
            const auto accesses = trace.accesses(action);
            any_value_ = all_of(accesses, [](const Access& access) { return access.node == 0; });
        }
        const PassNumbers numbers(machine_, trace, first, end);
        const std::uint32_t launch = trace.action(first).launch;
        for (const auto& [pass, times] : by_pass) {
            numbers_.emplace(pass, numbers.of(launch, pass));
            add_pass(trace, times);
        }
        add_grids(trace, first, end);
        add_hand_order(trace, first, end);
        add_late_stores(trace, first, end);
    }

    // That launch's stale reads. `time`: actions of the run before the trace's first.
    void add_stale_reads(const machine::Trace& trace, std::uint64_t first, std::uint64_t end,
                         std::uint64_t time) {
        const auto number_of = [&](std::uint32_t pass) {
            for (std::size_t row = 1; row < traces_.size(); ++row)
                if (traces_[row].launch == context_->launch && traces_[row].pass == pass)
                    return lattice_.head.rows[row].number;
            return 0U;
        };
        for (const StaleRead& read :
             stale_reads(machine_, trace, first, end, &all_compared_, comparisons_)) {
            const std::size_t row = row_of(read);
            if (row == kNoRow) continue;
            ++lattice_.stale_reads;
            const Writers& writers = writers_in(row);
            for (auto writer = first_of(writers, read.item);
                 writer != writers.end() && writer->first == read.item; ++writer)
                lattice_.rows[row].cells[writer->second] |= kStaleBit;
            if (lattice_.stale.size() >= limits_.marks) continue;
            StaleValue value = account_of(read, *context_);
            value.pass = number_of(read.write_pass);
            value.time += time;
            lattice_.stale.push_back({row, std::move(value)});
        }
    }

    // After the last launch: marks the raced cells in the rows of their arrays, except cells that
    // every write left unchanged, and cells that atomics hand over (Row::handed_over).
    void add_races(const RaceDetector& races) {
        // Where some accesses race, what others hand over orders no groups.
        for (const bool by_atomics : {true, false}) {
            for (const Race& race : races.races())
                if (race.by_atomics == by_atomics && is_read_across_groups(race))
                    for (const Race::Spot& spot : race.spots)
                        hand_over(race, spot);
            if (by_atomics) share_hand_over();
        }
        using Ordered = RacedCell::Ordered;
        for (const Ordered ordered : {Ordered::by_nothing, Ordered::in_lockstep, Ordered::by_hand})
            add_races(races, ordered);
    }

    // True if every cell of the launches so far was checked for stale reads.
    bool all_compared() const { return all_compared_; }

    Lattice take() {
        for (const LatticeRow& row : lattice_.rows)
            lattice_.width = std::max<std::uint64_t>(lattice_.width, row.cells.size());
        return std::move(lattice_);
    }

  private:
    // An array while rows are built.
    struct Held {
        Scalar element = Scalar::int_;
        std::uint64_t cells = 0;              // of one group if it is local
        std::uint64_t all = 0;                // of all groups; 0: too many
        std::vector<std::byte> bytes, shown;  // `shown`: in its last row
        std::vector<Node> nodes;
        std::vector<std::uint32_t> changed;  // cells, since its last row
        std::size_t number = kNoRow;         // of Lattice::arrays, once it has a row
        std::size_t row = kNoRow;            // the last one
    };
    // The row above shows this.
    struct Shown {
        bool global = true;
        std::size_t number = 0;  // a buffer, or an object of the launch
        std::uint64_t place() const { return number << 1U | (global ? 1U : 0U); }
    };
    struct Write {
        std::uint32_t cell = 0, item = 0;
        std::size_t from = 0, end = 0;  // of PassSoFar::sources
        bool kept = false, atomic = false;
    };
    struct PassSoFar {
        std::set<std::uint32_t> valued;  // objects into which a value from the input is stored
        std::map<std::uint32_t, std::vector<Write>> writes;  // by object
        std::vector<std::uint32_t> order;                    // of these
        std::vector<std::uint32_t> busy;                     // work-items
        std::vector<Loads::Source> sources;
        // By work-item and node of a value that it stored in the array of the row above: which of
        // `sources` went into it, from the first to behind the last.
        std::map<std::pair<std::uint64_t, Node>, std::pair<std::size_t, std::size_t>> stored;
        // By work-item, since its last store: places and cells that it read and that hold nothing
        // of the input. By object: those of the row above that went into its cells.
        std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, Taken>>> empty_reads;
        std::map<std::uint32_t, std::vector<std::uint32_t>> neutral;
    };

    Held held_of(machine::Scalar element, std::uint64_t cells, std::uint64_t groups) const {
        Held array;
        array.element = element;
        array.cells = cells;
        if (cells * groups > limits_.cells) return array;
        array.all = cells * groups;
        array.bytes.resize(array.all * lang::info(element).bytes, machine::kPoison);
        array.nodes.resize(array.all);
        return array;
    }

    void add_start(std::size_t start) {
        Held& array = buffers_.at(start);
        const auto bound =
            static_cast<std::size_t>(limits_.row_bytes / std::max<std::uint64_t>(array.all, 1));
        most_rows_ = std::clamp<std::size_t>(bound, 2, kMostRows);
        lattice_.head.rows.emplace_back().array = name_of(start);
        LatticeRow& row = lattice_.rows.emplace_back();
        row.cells.assign(array.all, static_cast<std::uint8_t>(CellState::input));
        row.array = array.number = 0;
        array.row = 0;
        const bool known = !machine_.job().buffers[start].initial.empty();
        array.shown = array.bytes;
        lattice_.arrays.push_back(
            {array.element, array.all, known ? array.bytes : std::vector<std::byte>()});
        traces_.emplace_back().launch = ~0U;  // of none
        above_ = {true, start};
    }

    void begin_launch(std::uint32_t launch) {
        context_ = &machine_.context(launch);
        numbers_.clear();
        loads_.clear();
        writers_.clear();
        locals_.assign(context_->objects.size(), {});
        for (std::size_t i = 1; i <= context_->visible; ++i) {
            const ObjectInfo& object = context_->objects[i];
            if (object.space == machine::Space::local)
                locals_[i] =
                    held_of(object.element, object.bytes >> object.shift, context_->groups);
        }
    }

    void add_pass(const Trace& trace, const std::vector<std::uint64_t>& times) {
        PassSoFar pass;
        for (const std::uint64_t time : times) {
            const Action& action = trace.action(time);
            if (any_value_ || action.count == 0 || action.kind == ActionKind::load ||
                pass.valued.contains(action.object))
                continue;
            for (const Access& access : trace.accesses(action))
                if (access.node != 0) pass.valued.insert(action.object);
        }
        for (const std::uint64_t time : times) {
            const Action& action = trace.action(time);
            if (action.kind == ActionKind::collective) {
                for (const std::uint32_t lane : machine::set_bits(action.mask))
                    pass.busy.push_back(static_cast<std::uint32_t>(
                        context_->item(action.group, action.warp, lane)));
                continue;
            }
            if (context_->objects[action.object].space == machine::Space::constant) continue;
            for_accesses(trace, *context_, action, [&](std::uint64_t item, const Access& access) {
                if (action.kind != ActionKind::store) read(action, time, item, access, pass);
                if (action.kind != ActionKind::load) write(action, time, item, access, pass);
            });
        }
        sort_unique(pass.busy);
        for (const std::uint32_t object : pass.order)
            add_row(trace.action(times.front()), object, pass);
    }

    void read(const Action& action, std::uint64_t time, std::uint64_t item, const Access& access,
              PassSoFar& pass) {
        const Held& array = held(action.object);
        const std::uint64_t cell = byte_of(action, access) / lang::info(array.element).bytes;
        // What an atomic finds is what the cell was left with.
        const Node node = action.kind == ActionKind::load ? access.node
                          : cell < array.nodes.size()     ? array.nodes[cell]
                                                          : 0;
        if (is_full()) return;
        Taken taken{static_cast<std::uint32_t>(cell), {}};
        if (lang::info(action.type).bytes == lang::info(array.element).bytes &&
            node != machine::kUnwritten)
            taken.bits = access.before;
        if (node == 0) {
            // Not of counters, which are read again and again.
            const std::uint64_t place = shown(action.object).place();
            if (cell < array.all &&
                (place == above_.place() || pass.valued.contains(action.object)))
                pass.empty_reads[item].emplace_back(place, taken);
            return;
        }
        loads_.note(item, node, shown(action.object).place(), taken, time);
        pass.busy.push_back(static_cast<std::uint32_t>(item));
    }

    void write(const Action& action, std::uint64_t time, std::uint64_t item, const Access& access,
               PassSoFar& pass) {
        Held& array = held(action.object);
        const std::uint64_t byte = byte_of(action, access);
        const std::size_t size = lang::info(action.type).bytes;
        const bool has_row = any_value_ || pass.valued.contains(action.object);
        if (array.all == 0 && has_row) {
            const std::string& name = context_->objects[action.object].name;
            std::vector<std::string>& unshown = lattice_.unshown;
            if (!contains(unshown, name)) unshown.push_back(name);
        }
        // A compare-exchange that failed wrote nothing.
        if (action.kind == ActionKind::atomic && access.before == access.after) return;
        if (byte + size > array.bytes.size()) return;
        const std::uint64_t cell = byte / lang::info(array.element).bytes;
        std::memcpy(array.bytes.data() + byte, &access.after, size);
        array.nodes[cell] = access.node;
        array.changed.push_back(static_cast<std::uint32_t>(cell));
        // Structures of several types are bytes here, which nobody wants to see.
        if (size > lang::info(array.element).bytes || !has_row) return;
        if (!pass.writes.contains(action.object)) pass.order.push_back(action.object);
        Write write{static_cast<std::uint32_t>(cell),
                    static_cast<std::uint32_t>(item),
                    pass.sources.size(),
                    0,
                    false,
                    action.kind == ActionKind::atomic};
        if (!is_full()) {
            const Shown above = above_in(pass, action.object);
            write.kept =
                find_sources(item, time, access.node, above, shown(action.object), cell, pass);
            if (const auto empty = pass.empty_reads.find(item); empty != pass.empty_reads.end()) {
                for (const auto& [place, read] : empty->second)
                    if (place == above.place()) {
                        pass.sources.push_back({place, read, time});
                        pass.neutral[action.object].push_back(read.cell);
                    }
                pass.empty_reads.erase(empty);
            }
        }
        write.end = pass.sources.size();
        if (!is_full() && shown(action.object).place() == above_in(pass, action.object).place())
            pass.stored[{item, access.node}] = {write.from, write.end};
        pass.writes[action.object].push_back(write);
        pass.busy.push_back(write.item);
    }

    // Adds the cells of the row above that went into a value that is written. True if what the
    // written cell held before went in, too, and the row above does not show it.
    bool find_sources(std::uint64_t item, std::uint64_t time, Node node, Shown above, Shown array,
                      std::uint64_t cell, PassSoFar& pass) {
        bool kept = false;
        const machine::Lineage& lineage = machine_.lineage();
        left_.assign(1, node);
        seen_.clear();
        while (!left_.empty()) {
            const Node part = left_.back();
            left_.pop_back();
            if (part == 0) continue;
            const auto known = std::lower_bound(seen_.begin(), seen_.end(), part);
            if (known != seen_.end() && *known == part) continue;
            seen_.insert(known, part);
            // What others added to the cell before is no work of this item.
            if (array.place() != above.place() &&
                loads_.is_last_read(item, part, array.place(), cell)) {
                kept = true;
                continue;
            }
            // What the item itself stored there in this pass, the row above does not show: what
            // went into that went in.
            const auto own =
                array.place() == above.place() ? pass.stored.find({item, part}) : pass.stored.end();
            if (own != pass.stored.end()) {
                for (std::size_t i = own->second.first; i < own->second.second; ++i)
                    pass.sources.push_back(Loads::Source(pass.sources[i]));
                continue;
            }
            if (const auto source = loads_.from(item, part, above.place(), time)) {
                pass.sources.push_back(*source);
                continue;
            }
            if (part == machine::kUnwritten) continue;
            const machine::Origin& origin = lineage[part];
            if (origin.is_input) continue;
            left_.push_back(origin.left);
            left_.push_back(origin.right);
        }
        return kept;
    }

    // Returns what the row above shows of one that the pass will have.
    // Where a pass writes several arrays, each has a row below that of the one before it.
    Shown above_in(const PassSoFar& pass, std::uint32_t object) const {
        const auto at = std::find(pass.order.begin(), pass.order.end(), object);
        return at == pass.order.begin() ? above_ : shown(*std::prev(at));
    }

    void add_row(const Action& action, std::uint32_t object, PassSoFar& pass) {
        Held& array = held(object);
        const ObjectInfo& info = context_->objects[object];
        std::uint64_t skipped = 0;
        const bool full = is_full();
        if (lattice_.rows.size() > most_rows_) {  // of those past the bound the last alone
            skipped = lattice_.head.rows.back().skipped + 1;
            drop_last_row();
        }
        Row head;
        head.launch = static_cast<int>(action.launch) + 1;
        head.variables = machine_.job().launches[action.launch].variables;
        head.global = context_->global;
        head.local = context_->local;
        head.array = info.name;
        head.shape = info.shape;
        head.number = numbers_.at(action.pass);
        head.skipped = skipped;
        head.local_memory = info.space == machine::Space::local;
        head.group_cells = head.local_memory ? array.cells : 0;
        head.waited = context_->code->has_barrier;

        std::vector<Write>& writes = pass.writes.at(object);
        std::vector<std::uint32_t> items;
        for (const Write& write : writes)
            items.push_back(write.item);
        sort_unique(items);
        // Where a pass writes several arrays, the work for one row is not told from that for
        // another.
        const bool alone = pass.order.size() == 1;
        head.items_known = alone || items == pass.busy;
        head.working = alone ? pass.busy : std::move(items);
        if (!any_value_) {
            sort_unique(pass.neutral[object]);
            head.neutral = pass.neutral[object];
        }
        LatticeRow row;
        row.active = static_cast<std::uint32_t>(head.working.size());
        if (array.number == kNoRow) {
            array.number = lattice_.arrays.size();
            LatticeArray before{array.element, array.all, {}};
            if (!head.local_memory) before.initial = machine_.job().buffers[info.buffer].initial;
            lattice_.arrays.push_back(std::move(before));
        }
        row.array = array.number;
        row.before = array.row;
        const Shown above = above_in(pass, object);
        head.other_reads = other_reads(writes, pass.sources, above);
        SourcesOfRow sources{pass.sources, above.place(), {}};
        fill_row(row, array, writes, sources);
        head.far_reads = far_reads(sources);
        array.row = lattice_.rows.size();
        traces_.push_back(
            {action.launch, action.pass, object, head.local_memory, info.buffer, array.cells});
        lattice_.rows.push_back(std::move(row));
        lattice_.head.rows.push_back(std::move(head));
        if (!full) above_ = shown(object);
    }

    // Of the sources of these writes, those that were read as something else than the row above
    // shows.
    std::vector<OtherRead> other_reads(const std::vector<Write>& writes,
                                       const std::vector<Loads::Source>& sources,
                                       Shown above) const {
        const Held& array = above.global ? buffers_[above.number] : locals_[above.number];
        if (array.row == kNoRow || array.all == 0) return {};  // it has too many cells to show
        const std::size_t size = lang::info(array.element).bytes;
        const auto key = [](const OtherRead& read) { return std::pair(read.item, read.cell); };
        std::vector<OtherRead> found;
        const auto is_shown = [&](const Taken& taken) {
            return !taken.bits ||
                   std::memcmp(array.shown.data() + taken.cell * size, &*taken.bits, size) == 0;
        };
        for (const Write& write : writes)
            for (std::size_t i = write.from; i < write.end; ++i)
                if (const auto& [place, taken, time] = sources[i];
                    place == above.place() && !is_shown(taken) && found.size() < limits_.marks)
                    found.push_back({write.item, taken.cell, {taken.bits, array.element}});
        stable_sort(found, [&](const OtherRead& a, const OtherRead& b) { return key(a) < key(b); });
        const auto same = [&](const OtherRead& a, const OtherRead& b) { return key(a) == key(b); };
        found.erase(std::unique(found.begin(), found.end(), same), found.end());
        return found;
    }

    // Holds the sources of a row's writes, and collects those that are not in the row above.
    struct SourcesOfRow {
        const std::vector<Loads::Source>& all;
        std::uint64_t above;  // its place
        std::vector<std::pair<Write, Loads::Source>> elsewhere;
    };
    // Appends the sources of the item's writes to one cell, in order, each once: of those since it
    // last wrote the cell without regard to what was there. Returns whether that went in from
    // elsewhere.
    static bool add_sources(std::span<const Write> writes, std::uint32_t item,
                            SourcesOfRow& sources, std::vector<std::uint32_t>& into) {
        const std::size_t begin = into.size(), begin_elsewhere = sources.elsewhere.size();
        bool kept = false;
        for (const Write& write : writes) {
            if (write.item != item) continue;
            if (!write.kept) {
                into.resize(begin);
                sources.elsewhere.resize(begin_elsewhere);
            }
            kept = write.kept;
            for (std::size_t i = write.from; i < write.end; ++i)
                if (sources.all[i].array == sources.above)
                    into.push_back(sources.all[i].taken.cell);
                else
                    sources.elsewhere.emplace_back(write, sources.all[i]);
        }
        const auto first = into.begin() + static_cast<std::ptrdiff_t>(begin);
        std::sort(first, into.end());
        into.erase(std::unique(first, into.end()), into.end());
        return kept;
    }

    // Those of the cell's writers that were not the last.
    static void add_others(std::span<const Write> writes, std::uint32_t last, SourcesOfRow& sources,
                           LatticeRow& row) {
        std::vector<Write> by_item(writes.begin(), writes.end());
        stable_sort(by_item, [](const Write& a, const Write& b) { return a.item < b.item; });
        for (auto first = by_item.begin(), end = first; first != by_item.end(); first = end) {
            while (end != by_item.end() && end->item == first->item)
                ++end;
            if (first->item == last) continue;
            LatticeWriter other{first->cell, first->item,
                                static_cast<std::uint32_t>(row.others_from.size()), 0};
            add_sources({&*first, static_cast<std::size_t>(end - first)}, first->item, sources,
                        row.others_from);
            other.end = static_cast<std::uint32_t>(row.others_from.size());
            row.others.push_back(other);
        }
    }

    void fill_row(LatticeRow& row, Held& array, std::vector<Write>& writes, SourcesOfRow& sources) {
        const std::size_t size = lang::info(array.element).bytes;
        stable_sort(writes, [](const Write& a, const Write& b) { return a.cell < b.cell; });
        sort_unique(array.changed);
        row.cells.assign(array.all, static_cast<std::uint8_t>(CellState::same));
        row.changes.reserve(array.changed.size());
        row.values.reserve(array.changed.size() * size);
        auto write = writes.begin();
        for (const std::uint32_t cell : array.changed) {
            LatticeChange change{cell, kNobody, static_cast<std::uint32_t>(row.from.size())};
            const auto first = write;
            while (write != writes.end() && write->cell == cell)
                ++write;
            if (first != write) {
                const std::span<const Write> of_cell(&*first,
                                                     static_cast<std::size_t>(write - first));
                change.item = of_cell.back().item;
                change.atomic = of_cell.back().atomic;
                change.kept = add_sources(of_cell, change.item, sources, row.from);
                row.cells[cell] = static_cast<std::uint8_t>(CellState::written);
                ++row.written;
                if (of_cell.size() > 1) {
                    add_others(of_cell, change.item, sources, row);
                    if (!row.others.empty() && row.others.back().cell == cell)
                        row.cells[cell] |= kSeveralBit;
                }
            }
            row.changes.push_back(change);
            const std::byte* value = array.bytes.data() + cell * size;
            row.values.insert(row.values.end(), value, value + size);
        }
        row.from.shrink_to_fit();
        array.changed.clear();
        array.shown = array.bytes;
    }

    // Of the sources elsewhere, those that the last row of their array shows as they were read.
    std::vector<FarRead> far_reads(const SourcesOfRow& sources) const {
        std::vector<FarRead> found;
        for (const auto& [write, source] : sources.elsewhere) {
            const Held& array = (source.array & 1U) != 0 ? buffers_[source.array >> 1U]
                                                         : locals_[source.array >> 1U];
            const auto& [cell, bits] = source.taken;
            const std::size_t size = lang::info(array.element).bytes;
            if (array.row == kNoRow || array.all == 0 || !bits || found.size() >= limits_.marks ||
                std::memcmp(array.shown.data() + cell * size, &*bits, size) != 0)
                continue;
            found.push_back({write.item, write.cell, array.row, cell, {*bits, array.element}});
        }
        sort(found, [](const FarRead& a, const FarRead& b) {
            return std::tie(a.cell, a.item, a.row, a.from) <
                   std::tie(b.cell, b.item, b.row, b.from);
        });
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    // What memory holds at the launch's end goes into the last row of each array.
    void add_late_stores(const Trace& trace, std::uint64_t first, std::uint64_t end) {
        for (const LateStore& store : late_stores(trace, *context_, first, end)) {
            const Action& action = *store.action;
            Held& array = held(action.object);
            const std::uint64_t byte = byte_of(action, *store.access);
            const std::size_t size = lang::info(action.type).bytes;
            if (byte + size > array.bytes.size()) continue;
            std::memcpy(array.bytes.data() + byte, &store.access->after, size);
            array.nodes[store.cell] = store.access->node;
            if (array.row == kNoRow || traces_[array.row].launch != action.launch) continue;
            const std::size_t cell_size = lang::info(array.element).bytes;
            std::memcpy(array.shown.data() + byte, &store.access->after, size);
            change_value(lattice_.rows[array.row], static_cast<std::uint32_t>(store.cell),
                         std::span(array.bytes).subspan(store.cell * cell_size, cell_size));
            lattice_.late.push_back({array.row, store.cell, static_cast<std::int64_t>(store.item),
                                     numbers_.at(action.pass)});
        }
    }

    // What it showed as changed is then told by the next row of its array.
    void drop_last_row() {
        const std::size_t number = lattice_.rows.size() - 1;
        const LatticeRow& last = lattice_.rows.back();
        const RowTrace& trace = traces_.back();
        if (!trace.local || trace.launch == context_->launch) {
            Held& array = trace.local ? locals_[trace.object] : buffers_[trace.buffer];
            array.row = last.before;
            for (const LatticeChange& change : last.changes)
                array.changed.push_back(change.cell);
        }
        const auto of_it = [number](const auto& each) { return each.row == number; };
        if (trace.launch != context_->launch) {  // else nothing is known of it yet
            std::erase_if(lattice_.stale, of_it);
            std::erase_if(lattice_.late, of_it);
        }
        writers_.erase(number);
        lattice_.rows.pop_back();
        lattice_.head.rows.pop_back();
        traces_.pop_back();
    }

    bool is_full() const { return lattice_.rows.size() >= most_rows_; }
    Held& held(std::uint32_t object) {
        const ObjectInfo& info = context_->objects[object];
        return info.space == machine::Space::global ? buffers_[info.buffer] : locals_[object];
    }

    Shown shown(std::uint32_t object) const {
        const ObjectInfo& info = context_->objects[object];
        return info.space == machine::Space::global ? Shown{true, info.buffer}
                                                    : Shown{false, object};
    }

    // The byte in the array that the access begins at.
    std::uint64_t byte_of(const Action& action, const Access& access) {
        const bool local = context_->objects[action.object].space == machine::Space::local;
        const Held& array = held(action.object);
        return std::uint64_t{access.index} * lang::info(action.type).bytes +
               (local ? array.cells * action.group * lang::info(array.element).bytes : 0);
    }

    // As the first kernel calls it, if it does.
    std::string name_of(std::size_t buffer) const {
        const machine::Job& job = machine_.job();
        if (!job.launches.empty()) {
            const Context& first = machine_.context(0);
            for (std::size_t i = 1; i <= first.visible; ++i)
                if (first.objects[i].space == machine::Space::global &&
                    first.objects[i].buffer == buffer)
                    return first.objects[i].name;
        }
        return job.buffers.at(buffer).name;
    }

    // Marks the last row before each barrier of the grid.
    void add_grids(const machine::Trace& trace, std::uint64_t first, std::uint64_t end) {
        std::set<std::uint32_t> ended;  // the last passes before them
        std::uint32_t pass = 0;
        for (std::uint64_t time = first; time < end; ++time) {
            if (time > first && trace.grids_before(time) != trace.grids_before(time - 1))
                ended.insert(pass);
            if (trace.action(time).count > 0) pass = std::max(pass, trace.action(time).pass);
        }
        if (ended.empty()) return;
        for (std::size_t row = 1; row + 1 < traces_.size(); ++row) {
            const RowTrace &here = traces_[row], &next = traces_[row + 1];
            if (here.launch == context_->launch && next.launch == context_->launch)
                lattice_.head.rows[row].of_grid =
                    ended.lower_bound(here.pass) != ended.lower_bound(next.pass);
        }
    }

    // Marks, for each pass that was waited for, the last row before it.
    void add_hand_order(const machine::Trace& trace, std::uint64_t first, std::uint64_t end) {
        if (any_value_) return;  // the counters themselves are what is shown
        const std::uint32_t launch = context_->launch;
        HandOrder order = HandOrderFinder(machine_, trace, first, end).find();
        for (std::size_t row = 1; row + 1 < traces_.size(); ++row) {
            const RowTrace &trace_here = traces_[row], &next = traces_[row + 1];
            if (trace_here.launch != launch || next.launch != launch) continue;
            const auto known_until = order.known.upper_bound(next.pass);
            const bool known = std::all_of(order.known.upper_bound(trace_here.pass), known_until,
                                           [](const auto& each) { return each.second; });
            HandOrder::Waits waits;
            for (auto learned = order.counters.lower_bound(trace_here.pass);
                 learned != order.counters.end() && learned->first < next.pass; ++learned)
                waits.insert(learned->second.begin(), learned->second.end());
            if (!known || waits.empty()) continue;
            std::set<std::string> counters;
            for (const auto& [counter, place] : waits)
                counters.insert(counter);
            lattice_.head.rows[row].by_hand = fmt::format("{}", fmt::join(counters, ", "));
            waits_[row] = std::move(waits);
        }
        for (auto& [pass, signal] : order.signals) {
            std::size_t row = 0;
            for (std::size_t each = 1; each < traces_.size(); ++each)
                if (traces_[each].launch == launch && traces_[each].pass <= pass) row = each;
            if (row > 0 || launch == 0)
                lattice_.head.rows[row].signals.push_back(std::move(signal));
        }
        if (!order.counters.empty()) hand_orders_.emplace(launch, std::move(order));
    }

    void add_races(const RaceDetector& races, RacedCell::Ordered ordered) {
        for (const Race& race : races.races()) {
            if (race.by_atomics || race.same_value) continue;
            for (const Race::Spot& spot : race.spots) {
                const std::size_t row = row_of(race, spot);
                if (row == kNoRow) continue;
                RacedCell raced = account_of(race, spot, machine_.context(race.launch));
                raced.ordered = ordered_by(race, raced, spot);
                if (raced.ordered != ordered) continue;
                if (traces_[row].local) raced.cell += traces_[row].group_cells * spot.group;
                // Of cells that race with several, one is named.
                auto& cells = lattice_.rows[row].cells;
                if (raced.cell >= cells.size() || (cells[raced.cell] & kRacedBit) != 0) continue;
                cells[raced.cell] |= kRacedBit;
                if (lattice_.raced.size() < limits_.marks) lattice_.raced.push_back({row, raced});
            }
        }
    }

    RacedCell::Ordered ordered_by(const Race& race, const RacedCell& raced,
                                  const Race::Spot& spot) const {
        const machine::Context& context = machine_.context(race.launch);
        if (const auto hand = hand_orders_.find(race.launch);
            hand != hand_orders_.end() && race.across_groups &&
            !hand->second.unordered.contains({context.objects[spot.object].buffer, raced.cell}))
            return RacedCell::Ordered::by_hand;
        return race.lockstep && context.lanes > 1 ? RacedCell::Ordered::in_lockstep
                                                  : RacedCell::Ordered::by_nothing;
    }

    // The row that a read of that pass belongs to: rather one in which its work-item wrote. Where
    // the pass gave none, as an iteration that only reads, the next one, if the read is not of
    // somebody who waits.
    std::size_t row_of(const StaleRead& read) const {
        std::size_t found = kNoRow;
        for (std::size_t row = 1; row < traces_.size(); ++row) {
            const RowTrace& trace = traces_[row];
            if (trace.launch != read.launch || trace.pass < read.pass) continue;
            if (found != kNoRow && trace.pass != traces_[found].pass) return found;
            if (trace.pass > read.pass && read.reread) return kNoRow;
            const Writers& writers = writers_in(row);
            const auto first = first_of(writers, read.item);
            if (first != writers.end() && first->first == read.item) return row;
            if (found == kNoRow) found = row;
        }
        return found;
    }

    // The row that shows the array in that pass; where the pass wrote to others alone, the last
    // before it, whose cells are what was read.
    std::size_t row_of(const Race& race, const Race::Spot& spot) const {
        const machine::ObjectInfo& object = machine_.context(race.launch).objects[spot.object];
        const bool local = object.space == machine::Space::local;
        for (std::size_t row = traces_.size(); row-- > 1;) {
            const RowTrace& trace = traces_[row];
            if (trace.launch != race.launch || trace.pass > spot.pass || trace.local != local)
                continue;
            if (local ? trace.object == spot.object : trace.buffer == object.buffer) return row;
        }
        return kNoRow;
    }

    using Writers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // work-items and cells
    // Who wrote which cells last, by work-item.
    const Writers& writers_in(std::size_t row) const {
        const auto [found, news] = writers_.try_emplace(row);
        if (news) {
            for (const LatticeChange& change : lattice_.rows[row].changes)
                if (change.item != kNobody) found->second.emplace_back(change.item, change.cell);
            sort(found->second);
        }
        return found->second;
    }

    // The same wait hands over behind every row, whether or not another group's value crosses
    // there.
    void share_hand_over() {
        std::set<std::pair<std::uint32_t, HandOrder::Waits>> handing;
        for (const auto& [row, waits] : waits_)
            if (lattice_.head.rows[row].handed_over) handing.insert({traces_[row].launch, waits});
        for (const auto& [row, waits] : waits_)
            if (handing.contains({traces_[row].launch, waits}))
                lattice_.head.rows[row].handed_over = true;
    }

    // Marks the last row before that pass of the launch, or takes the mark of a race away.
    void hand_over(const Race& race, const Race::Spot& spot) {
        if (race.by_atomics ? spot.other_pass >= spot.pass : spot.other_pass == spot.pass) return;
        for (std::size_t row = traces_.size(); row-- > 1;)
            if (traces_[row].launch == race.launch && traces_[row].pass < spot.pass) {
                lattice_.head.rows[row].handed_over = race.by_atomics;
                return;
            }
    }

    const Machine& machine_;
    RowLimits limits_;
    std::size_t most_rows_ = kMostRows;
    const Context* context_ = nullptr;                // of the launch at hand
    std::map<std::uint32_t, std::uint32_t> numbers_;  // of its passes, from 1
    std::uint64_t comparisons_ = kMostComparisons;    // left, of all launches together
    bool all_compared_ = true;
    bool any_value_ = false;  // rows of arrays whose values come from no input too
    std::vector<Held> buffers_, locals_;
    Loads loads_;
    Shown above_;
    Lattice lattice_;
    std::vector<RowTrace> traces_;                    // of the rows; the first is of none
    std::vector<Node> left_, seen_;                   // of find_sources()
    mutable std::map<std::size_t, Writers> writers_;  // of the launch's rows, once asked for
    std::map<std::uint32_t, HandOrder> hand_orders_;  // by launch
    std::map<std::size_t, HandOrder::Waits> waits_;   // by row: those behind it
};

std::vector<Row> stale_rows(const machine::Run& run, std::size_t start, bool* all) {
    if (all != nullptr) *all = false;
    const bool marked = run.trace().events() <= kMostEventsForStale;
    RowBuilder rows(
        run.machine(), start,
        {kMostRowCells, kMostRowCells * kMostRows, std::numeric_limits<std::size_t>::max()});
    for_launches(run.trace(), [&](std::uint64_t first, std::uint64_t end) {
        rows.add_launch(run.trace(), first, end);
        if (marked) rows.add_stale_reads(run.trace(), first, end, 0);
    });
    if (!marked) return whole_rows(rows.take());
    RaceDetector races;
    races.begin(run.machine());
    run.trace().replay(races);
    rows.add_races(races);
    if (all != nullptr) *all = rows.all_compared();
    return whole_rows(rows.take());
}

std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run) {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::uint32_t launch = 0; launch < run.machine().job().launches.size(); ++launch)
        all.emplace_back(run.machine().context(launch).groups);
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        if (action.kind != machine::ActionKind::barrier) continue;
        std::uint32_t& passed = all[action.launch][action.group];
        passed = std::max(passed, action.pass + 1);
    }
    return all;
}

LatticeObserver::LatticeObserver(std::size_t start, std::atomic<float>* progress)
    : start_(start), progress_(progress) {}

LatticeObserver::~LatticeObserver() = default;

bool LatticeObserver::stale_known() const {
    return rows_->all_compared() && !too_long_for_stale();
}

void LatticeObserver::begin(const machine::Machine& machine) {
    machine_ = &machine;
    races_.begin(machine);
    rows_ = std::make_unique<RowBuilder>(
        machine, start_, RowLimits{kMostLatticeCells, kMostLatticeBytes, Lattice::kMostTold});
}

void LatticeObserver::observe(const Action& action, std::span<const machine::Access> accesses,
                              bool continues) {
    if (context_ == nullptr || context_->launch != action.launch) {
        end_launch();
        context_ = &machine_->context(action.launch);
        trace_ = std::make_unique<machine::Trace>();
        group_ = 0;
    }
    if (progress_ != nullptr && action.group != group_) {
        group_ = action.group;
        const auto launches = static_cast<float>(machine_->job().launches.size());
        const float share = static_cast<float>(group_) / static_cast<float>(context_->groups);
        progress_->store((static_cast<float>(action.launch) + share) / launches);
    }
    events_ += accesses.size();
    if (trace_->events() > kMostLaunchEvents)
        throw Problem("The run is too long for the lattice",
                      fmt::format("More than {} loads and stores in one launch", kMostLaunchEvents),
                      "Choose fewer elements; if it never ends, Step shows who waits, with a few");
    // Barriers tell nothing here, and there are many.
    if (action.kind != ActionKind::barrier) trace_->add(action, accesses, continues);
    if (events_ <= kMostLatticeEvents) races_.observe(action, accesses, continues);
}

void LatticeObserver::detail(const machine::Detail& detail) {
    races_.detail(detail);
    if (detail.kind != machine::Detail::Kind::grid || trace_ == nullptr) return;
    machine::Detail here = detail;
    here.time = trace_->size();
    trace_->add(here);
}

void LatticeObserver::end_launch() {
    if (trace_ == nullptr) return;
    if (trace_->size() > 0) {
        rows_->add_launch(*trace_, 0, trace_->size());
        if (!too_long_for_stale()) rows_->add_stale_reads(*trace_, 0, trace_->size(), times_);
    }
    times_ += trace_->size();
    trace_.reset();
}

Lattice LatticeObserver::take() {
    end_launch();
    if (!too_long_for_stale()) rows_->add_races(races_);
    Lattice lattice = rows_->take();
    add_states(lattice);
    stable_sort(lattice.stale, [](const LatticeStale& a, const LatticeStale& b) {
        return std::pair(a.row, a.read.item) < std::pair(b.row, b.read.item);
    });
    stable_sort(lattice.raced, [](const LatticeRace& a, const LatticeRace& b) {
        return std::pair(a.row, a.raced.cell) < std::pair(b.row, b.raced.cell);
    });
    if (progress_ != nullptr) progress_->store(1);
    return lattice;
}

}  // namespace lab::analysis
