// Finds the pairs of accesses that nothing orders, while a run goes on: it needs no trace.
//
// Two accesses conflict where they touch one cell, from different work-items, one of them writes,
// and not both are atomic. They are ordered where they are of different launches, or of one group
// with a barrier between them whose fence names that kind of memory. Different groups of a launch
// are never ordered (the rules that OpenCL C 1.2, section 6.12.8, gives; lanes that go in lockstep
// are no order in it either). A hand-over by atomics is told apart: see handovers.h.
//
// Of each cell the last write and two readers since are kept, so that a conflict is found where
// there is one, but not every pair is counted. Where a kernel has atomic functions all readers are,
// since of some of them the others may know.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "insight/handovers.h"
#include "insight/text_order.h"
#include "machine/machine.h"

namespace lab {

// All pairs of two places that conflict in the same way.
struct Race {
    struct Side {
        std::uint32_t place = 0;           // in the code of the launch
        std::uint64_t item = 0;            // global id
        std::uint32_t pass = 0, turn = 0;  // as an Action has them
        bool writes = false, atomic = false;
    };
    // Two accesses of one cell. `first` is what comes first in the text when all work-items go in
    // step: the order that the text seems to mean.
    struct Pair {
        Side first, second;
        bool swapped = false;      // `second` happened before `first`
        std::uint32_t object = 0;  // of the launch
        std::uint64_t cell = 0;    // in the object's elements
        machine::Scalar type = machine::Scalar::int_;
        // What the cell held before the (later) write, and after it. Of two writes: what each left.
        std::uint64_t before = 0, after = 0;
        std::uint64_t time = 0;  // of the later of the two: actions before it in the run
    };
    // A cell at which such a pair met, in the pass of the one that reads, of two writes in that of
    // the second.
    struct Spot {
        std::uint32_t object = 0, group = 0, pass = 0;  // pass as an Action has it
        std::uint64_t cell = 0;                         // in the object's elements
        std::uint64_t first = 0, second = 0;            // global ids
        std::uint32_t other_pass = 0;                   // of the other of the two
        auto operator<=>(const Spot&) const = default;
    };
    std::uint32_t launch = 0;
    bool across_groups = false;
    bool by_atomics = false;  // handed over by an atomic function, so ordered in fact
    Pair example;             // of those whose order mattered, if any; else the first
    std::uint64_t in_order = 0, swapped = 0;  // pairs that happened as the text has it, and not
    std::uint64_t mattered = 0;               // swapped ones whose write changed the value
    bool same_value = true;  // both write, and each time what the cell held already
    bool lockstep = true;    // each pair is of one warp
    bool one_turn = true;    // of one turn of their loop, each pair
    std::set<Spot> spots;    // each cell and pass once, and no more than kMostSpots
    static constexpr std::size_t kMostSpots = 65'536;
};

class RaceDetector : public machine::Observer {
  public:
    void begin(const machine::Machine& machine) override;
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;

    // One for each pair of places, what they do, whether across groups and whether handed over; in
    // the order of discovery.
    const std::vector<Race>& races() const { return races_; }

  private:
    struct Touch {
        std::uint32_t item = 0, epoch = 0, place = 0, pass = 0, time = 0;
        std::uint16_t turn = 0;
        bool known = false, atomic = false;
    };
    // Who writes next conflicts with one of two readers that is not itself.
    struct Cell {
        Touch write, read, other_read;
        std::uint64_t before_write = 0;
    };
    using Cells = std::vector<Cell>;
    // Of a cell of a kernel with atomic functions.
    struct More {
        std::unordered_map<std::uint32_t, Touch> readers;  // by item; since the last write
        Touch other_atomic;  // the last one of another work-item than of the last write
    };

    void begin_launch(std::uint32_t launch);
    Cells& cells_of(const machine::Action& action, const machine::ObjectInfo& object);
    void load(Cell& cell, const Touch& now, std::uint64_t index, std::uint64_t value);
    void store(Cell& cell, const Touch& now, std::uint64_t index, const machine::Access& access);
    void other_atomic(const Touch& now, bool writes, std::uint64_t index,
                      std::array<std::uint64_t, 2> values);
    bool unordered(const Touch& before, const Touch& now) const;
    // `values`: what the write, or the first of two, found and left.
    void report(const Touch& before, bool before_writes, const Touch& now, bool now_writes,
                std::uint64_t index, std::array<std::uint64_t, 2> values);
    void add_spot(Race& race, const Race::Pair& pair) const;
    void atomic(const Touch& now, std::uint64_t cell);

    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    const machine::Action* action_ = nullptr;  // the one at hand
    std::uint32_t time_ = 0;
    std::optional<TextOrder> order_;                  // of the launch
    Handovers handovers_;                             // likewise
    bool has_atomics_ = false;                        // likewise
    std::unordered_map<std::uint64_t, More> more_;    // by cell, as handovers_ has them
    std::uint64_t key_ = 0;                           // of the cell at hand
    std::vector<Cells> global_;                       // by object of the launch
    std::unordered_map<std::uint64_t, Cells> local_;  // by group and object
    std::uint64_t local_key_ = ~std::uint64_t{0};
    Cells* local_cells_ = nullptr;
    std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned>, std::size_t> found_;
    std::vector<Race> races_;
};

}  // namespace lab
