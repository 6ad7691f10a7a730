// Builds the rows of a run from its trace, launch by launch: what each pass left in memory, who
// wrote it and from which values. The lattice shows these rows; the step view's are made from them
// (trace_rows.h).
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
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/lanes/loads.h"
#include "analysis/races/race_detector.h"
#include "analysis/rows/hand_order.h"
#include "analysis/rows/lattice.h"
#include "analysis/rows/row_trace.h"
#include "analysis/rows/stale_reads.h"
#include "machine/trace.h"

namespace lab::analysis {

// If there are more rows, the first ones and the last are kept, and the last has the count of those
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
    // Whether every cell of the launches so far was checked for stale reads.
    bool all_compared() const { return all_compared_; }

    Lattice take();
    // For each row but the first.
    std::vector<RowTrace> take_traces();

  private:
    // An array while rows are built.
    struct Held {
        machine::Scalar element = machine::Scalar::int_;
        std::uint64_t cells = 0;  // of one group if it is local
        std::uint64_t all = 0;    // of all groups; 0: too many
        std::vector<std::byte> bytes;
        std::vector<machine::Node> nodes;
        std::vector<CellTrace> traces;       // of this launch, if requested
        std::vector<std::uint32_t> changed;  // cells, since its last row
        std::size_t number = kNoRow;         // of Lattice::arrays, once it has a row
        std::size_t row = kNoRow;            // the last one
    };
    // What the row above shows.
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
        std::vector<std::uint32_t> sources;
        // By work-item, since its last store: places and cells that it read and that hold nothing
        // of the input. By object: those of the row above that went into its cells.
        std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::uint32_t>>> empty_reads;
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
    // Whether what the written cell held before went in, too, and the row above does not show it.
    bool find_sources(std::uint64_t item, std::uint64_t time, machine::Node node, Shown above,
                      Shown array, std::uint64_t cell, std::vector<std::uint32_t>& into);
    // What the row above shows of one that the pass will have.
    Shown above_in(const PassSoFar& pass, std::uint32_t object) const;
    void add_row(const machine::Action& action, std::uint32_t object, PassSoFar& pass);
    static bool add_sources(std::span<const Write> writes, std::uint32_t item,
                            const std::vector<std::uint32_t>& sources,
                            std::vector<std::uint32_t>& into);
    static void add_others(std::span<const Write> writes, std::uint32_t last,
                           const std::vector<std::uint32_t>& sources, LatticeRow& row);
    void fill_row(LatticeRow& row, Held& array, std::vector<Write>& writes,
                  const std::vector<std::uint32_t>& sources);
    void add_late_stores(const machine::Trace& trace, std::uint64_t first, std::uint64_t end);
    void finish_traces();
    void drop_last_row();
    bool is_full() const { return lattice_.rows.size() >= most_rows_; }
    Held& held(std::uint32_t object);
    Shown shown(std::uint32_t object) const;
    std::uint64_t byte_of(const machine::Action& action, const machine::Access& access);
    std::string name_of(std::size_t buffer) const;

    void add_hand_order(const machine::Trace& trace, std::uint64_t first, std::uint64_t end);
    void add_races(const RaceDetector& races, RacedCell::Ordered ordered);
    RacedCell::Ordered ordered_by(const Race& race, const RacedCell& raced,
                                  const Race::Spot& spot) const;
    std::size_t row_of(const StaleRead& read) const;
    std::size_t row_of(const Race& race, const Race::Spot& spot) const;
    using Writers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // work-items and cells
    const Writers& writers_in(std::size_t row) const;
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
};

}  // namespace lab::analysis
