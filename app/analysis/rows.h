// Makes the rows of the step view from a run with a trace: the arrays that each pass writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/lattice.h"
#include "analysis/race_detector.h"
#include "analysis/stale_reads.h"
#include "analysis/step_table.h"
#include "analysis/warps.h"
#include "machine/job.h"
#include "machine/run.h"
#include "machine/trace.h"
namespace lab::analysis {

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

// Every pair of them has a clock. Work-items of a launch in which hand-made barriers are
// recognised; in a larger one they make no rows.
inline constexpr std::uint64_t kMostHandItems = 1024;

// Actions [first, end) are those of one launch. Counters and flags are global arrays into which
// only values that come from no input are stored.
HandOrder hand_order(const machine::Machine& machine, const machine::Trace& trace,
                     std::uint64_t first, std::uint64_t end);

// Where in a run a row comes from, so that a device can be asked for the same row.

// How a cell got its value, in the launch so far.
struct CellTrace {
    bool written = false;     // in this pass of the launch or an earlier one; then:
    std::uint32_t pass = 0;   // the last write's pass
    std::uint32_t group = 0;  // the last write's group
    bool atomic = false;      // by an atomic, with a value that comes from the input
    bool later = false;       // written again in a later pass of the launch
    bool shared = false;      // several groups write it in the launch
};

struct RowTrace {
    std::uint32_t launch = 0, pass = 0;  // as Action has them, from 0
    std::uint32_t object = 0;            // of the launch
    bool local = false;                  // cells of all groups side by side
    std::size_t buffer = 0;              // of global memory: of Job::buffers
    std::uint64_t group_cells = 0;       // per group if it is local
    machine::Scalar element = machine::Scalar::int_;
    bool last = false;  // of its array in the launch
    bool any_order =
        false;  // atomics may have taken part in its values, in an order that is not fixed
    std::vector<CellTrace> cells = {};  // if requested
};

inline constexpr std::uint64_t kMostRowCells = 4096;  // cells of an array; a larger one has no rows
// Accesses of a run; of more, stale reads are not looked for, and that is said.
inline constexpr std::uint64_t kMostEventsForStale = 4'000'000;

// The first row is buffer `start` at the beginning. `traces` receives one per row but the first.
std::vector<Row> trace_rows(const machine::Run& run, std::size_t start,
                            std::vector<RowTrace>* traces = nullptr);

// The same, with the run's races and stale reads. A stale read is in the row of its pass (if the
// pass has several arrays, in that of one that its work-item wrote), and the cells that it wrote
// there are marked. `all`: whether every cell was checked, see stale_reads().
std::vector<Row> stale_rows(const machine::Run& run, std::size_t start, bool* all = nullptr);

// How many barriers each group passed, by launch and group.
std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run);

// Numbers passes for users: from 1 in each launch, counting only passes in which something
// happened. Without barriers a pass is an iteration of a loop; one that stores nothing, such as
// that of a loop that loads, belongs to the next that does, or at the end to the last.

class PassNumbers {
  public:
    explicit PassNumbers(const machine::Run& run)
        : PassNumbers(run.machine(), run.trace(), 0, run.trace().size()) {}
    // Actions [first, end) only.
    PassNumbers(const machine::Machine& machine, const machine::Trace& trace, std::uint64_t first,
                std::uint64_t end) {
        std::map<std::uint32_t, Launch> launches;
        for (std::uint64_t time = first; time < end; ++time) {
            const machine::Action& action = trace.action(time);
            if (action.kind == machine::ActionKind::barrier) continue;
            Launch& launch = launches[action.launch];
            launch.has_barrier = machine.context(action.launch).code->has_barrier;
            bool& stores = launch.passes[action.pass];
            stores = stores || action.kind == machine::ActionKind::store ||
                     action.kind == machine::ActionKind::atomic;
        }
        for (const auto& [number, launch] : launches)
            add(number, launch);
    }

    // Returns the row of Action::pass; 0: in that pass all only waited.
    std::uint32_t of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = passes_.find({launch, pass});
        return found == passes_.end() ? 0 : found->second.number;
    }
    // The last Action::pass of those that have its number; its own if all only waited.
    std::uint32_t last_of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = passes_.find({launch, pass});
        return found == passes_.end() ? pass : found->second.last;
    }

  private:
    struct Launch {
        bool has_barrier = false;
        std::map<std::uint32_t, bool> passes;  // whether anybody stores in it
    };
    struct Numbered {
        std::uint32_t number, last;
    };

    void add(std::uint32_t launch, const Launch& found) {
        std::vector<std::uint32_t> together;
        std::uint32_t number = 0;
        const auto close = [&] {
            for (const std::uint32_t pass : together)
                passes_[{launch, pass}] = {number, together.back()};
        };
        std::uint32_t last_store = 0;
        for (const auto& [pass, stores] : found.passes)
            if (stores) last_store = pass;
        for (const auto& [pass, stores] : found.passes) {
            together.push_back(pass);
            const bool ends = found.has_barrier || (stores && pass != last_store);
            if (!ends) continue;
            ++number;
            close();
            together.clear();
        }
        ++number;
        close();
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, Numbered> passes_;
};

// Ways through a trace: launch by launch, and the accesses of an action by work-item.

// Calls each(first, end) for the actions of each launch; `end` is not one of them.
template <typename Each>
void for_launches(const machine::Trace& trace, Each&& each) {
    for (std::uint64_t first = 0, end = 0; first < trace.size(); first = end) {
        while (end < trace.size() && trace.action(end).launch == trace.action(first).launch)
            ++end;
        each(first, end);
    }
}

// Calls each(item, access) in the order of lanes; items are global ids.
template <typename Each>
void for_accesses(const machine::Trace& trace, const machine::Context& context,
                  const machine::Action& action, Each&& each) {
    const std::span<const machine::Access> all = trace.accesses(action);
    machine::SetBits lanes = machine::set_bits(action.mask);
    for (std::size_t i = 0; i < all.size(); ++lanes) {
        const std::uint64_t item = context.item(action.group, action.warp, *lanes);
        for (std::uint8_t k = 0; k < action.count; ++k, ++i)
            each(item, all[i]);
    }
}

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
inline constexpr std::size_t kMostRows = 500;

struct RowLimits {
    std::uint64_t cells;       // per array, all groups together; larger arrays give no rows
    std::uint64_t row_bytes;   // of all rows, one per cell
    std::size_t marks;         // stale reads and races to keep
    bool cell_traces = false;  // whether traces() include cells
};

class RowBuilder {
  public:
    // The first row is buffer `start` at the beginning. It has no cells if they exceed the limit.
    RowBuilder(const machine::Machine& machine, std::size_t start, const RowLimits& limits);

    // The next launch: actions [first, end) of the trace, with or without barriers.
    void add_launch(const machine::Trace& trace, std::uint64_t first, std::uint64_t end);
    // That launch's stale reads. `time`: actions of the run before the trace's first.
    void add_stale_reads(const machine::Trace& trace, std::uint64_t first, std::uint64_t end,
                         std::uint64_t time);
    // After the last launch: marks the raced cells in the rows of their arrays, except cells that
    // every write left unchanged, and cells that atomics hand over (Row::handed_over).
    void add_races(const RaceDetector& races);
    // True if every cell of the launches so far was checked for stale reads.
    bool all_compared() const { return all_compared_; }

    Lattice take();
    // For each row but the first.
    std::vector<RowTrace> take_traces();

  private:
    // An array while rows are built.
    struct Held {
        machine::Scalar element = machine::Scalar::int_;
        std::uint64_t cells = 0;              // of one group if it is local
        std::uint64_t all = 0;                // of all groups; 0: too many
        std::vector<std::byte> bytes, shown;  // `shown`: in its last row
        std::vector<machine::Node> nodes;
        std::vector<CellTrace> traces;       // of this launch, if requested
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
        std::map<std::pair<std::uint64_t, machine::Node>, std::pair<std::size_t, std::size_t>>
            stored;
        // By work-item, since its last store: places and cells that it read and that hold nothing
        // of the input. By object: those of the row above that went into its cells.
        std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, Taken>>> empty_reads;
        std::map<std::uint32_t, std::vector<std::uint32_t>> neutral;
    };

    Held held_of(machine::Scalar element, std::uint64_t cells, std::uint64_t groups) const;
    void add_start(std::size_t start);
    void begin_launch(std::uint32_t launch);
    void add_pass(const machine::Trace& trace, const std::vector<std::uint64_t>& times);
    void read(const machine::Action& action, std::uint64_t time, std::uint64_t item,
              const machine::Access& access, PassSoFar& pass);
    void write(const machine::Action& action, std::uint64_t time, std::uint64_t item,
               const machine::Access& access, PassSoFar& pass);
    void trace_cell(CellTrace& cell, const machine::Action& action, const machine::Access& access);
    // Adds the cells of the row above that went into a value that is written. True if what the
    // written cell held before went in, too, and the row above does not show it.
    bool find_sources(std::uint64_t item, std::uint64_t time, machine::Node node, Shown above,
                      Shown array, std::uint64_t cell, PassSoFar& pass);
    // Returns what the row above shows of one that the pass will have.
    Shown above_in(const PassSoFar& pass, std::uint32_t object) const;
    void add_row(const machine::Action& action, std::uint32_t object, PassSoFar& pass);
    std::vector<OtherRead> other_reads(const std::vector<Write>& writes,
                                       const std::vector<Loads::Source>& sources,
                                       Shown above) const;
    // Holds the sources of a row's writes, and collects those that are not in the row above.
    struct SourcesOfRow {
        const std::vector<Loads::Source>& all;
        std::uint64_t above;  // its place
        std::vector<std::pair<Write, Loads::Source>> elsewhere;
    };
    static bool add_sources(std::span<const Write> writes, std::uint32_t item,
                            SourcesOfRow& sources, std::vector<std::uint32_t>& into);
    static void add_others(std::span<const Write> writes, std::uint32_t last, SourcesOfRow& sources,
                           LatticeRow& row);
    void fill_row(LatticeRow& row, Held& array, std::vector<Write>& writes, SourcesOfRow& sources);
    std::vector<FarRead> far_reads(const SourcesOfRow& sources) const;
    void add_late_stores(const machine::Trace& trace, std::uint64_t first, std::uint64_t end);
    void finish_traces();
    void drop_last_row();
    bool is_full() const { return lattice_.rows.size() >= most_rows_; }
    Held& held(std::uint32_t object);
    Shown shown(std::uint32_t object) const;
    std::uint64_t byte_of(const machine::Action& action, const machine::Access& access);
    std::string name_of(std::size_t buffer) const;

    void add_grids(const machine::Trace& trace, std::uint64_t first, std::uint64_t end);
    void add_hand_order(const machine::Trace& trace, std::uint64_t first, std::uint64_t end);
    void add_races(const RaceDetector& races, RacedCell::Ordered ordered);
    RacedCell::Ordered ordered_by(const Race& race, const RacedCell& raced,
                                  const Race::Spot& spot) const;
    std::size_t row_of(const StaleRead& read) const;
    std::size_t row_of(const Race& race, const Race::Spot& spot) const;
    using Writers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // work-items and cells
    const Writers& writers_in(std::size_t row) const;
    void share_hand_over();
    void hand_over(const Race& race, const Race::Spot& spot);

    const machine::Machine& machine_;
    RowLimits limits_;
    std::size_t most_rows_ = kMostRows;
    const machine::Context* context_ = nullptr;       // of the launch at hand
    std::map<std::uint32_t, std::uint32_t> numbers_;  // of its passes, from 1
    std::uint64_t comparisons_ = kMostComparisons;    // left, of all launches together
    bool all_compared_ = true;
    bool any_value_ = false;  // rows of arrays whose values come from no input too
    bool any_order_ = false;
    std::vector<Held> buffers_, locals_;
    Loads loads_;
    Shown above_;
    Lattice lattice_;
    std::vector<RowTrace> traces_;                    // of the rows; the first is of none
    std::vector<machine::Node> left_, seen_;          // of find_sources()
    mutable std::map<std::size_t, Writers> writers_;  // of the launch's rows, once asked for
    std::map<std::uint32_t, HandOrder> hand_orders_;  // by launch
    std::map<std::size_t, HandOrder::Waits> waits_;   // by row: those behind it
};

// Builds a Lattice during a run. It keeps the trace of one launch at a time, so that a run of many
// elements needs no whole trace.

// Cells of all rows of a picture; of more rows, the last has the count of those left out.
inline constexpr std::uint64_t kMostLatticeBytes = std::uint64_t{1} << 24U;
// Accesses of a launch, and of a run that is checked for stale reads; more are refused, and not
// checked, which is said.
inline constexpr std::uint64_t kMostLaunchEvents = 12'000'000, kMostLatticeEvents = 4'000'000;

class LatticeObserver : public machine::Observer {
  public:
    // `start` is the buffer that the first row shows. `progress` receives the share that is done,
    // approximately.
    explicit LatticeObserver(std::size_t start, std::atomic<float>* progress = nullptr);

    void begin(const machine::Machine& machine) override;
    // Throws Problem if a launch has too many accesses to keep.
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;
    void detail(const machine::Detail& detail) override;

    // Call after the run, also if it ended with a fault.
    Lattice take();
    // After that: whether all cells were checked for stale reads.
    bool stale_known() const { return rows_->all_compared() && !too_long_for_stale(); }

  private:
    bool too_long_for_stale() const { return events_ > kMostLatticeEvents; }
    void end_launch();

    std::size_t start_;
    std::atomic<float>* progress_;
    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    std::uint32_t group_ = 0;                // seen last
    std::unique_ptr<machine::Trace> trace_;  // of the launch
    std::uint64_t events_ = 0, times_ = 0;   // so far; actions of earlier launches
    std::optional<RowBuilder> rows_;
    RaceDetector races_;
};

}  // namespace lab::analysis
