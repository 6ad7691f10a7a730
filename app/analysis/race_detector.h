// Finds unordered pairs of conflicting accesses during a run, without a trace.
//
// Two accesses conflict if they touch one cell from different work-items, one of them writes, and
// not both are atomic. They are ordered (one happens before the other) if they are in different
// launches, in one group with a barrier between them whose flags name that memory, or if atomics
// and fences hand over from one to the other (happens_before.h). Barriers of some lanes of a warp
// order these. Two atomics also conflict if their scopes do not include each other. Lockstep does
// not order lanes. An asynchronous copy is done by nobody's turn between its call and the wait for
// it: it is ordered with what is before a barrier before the call, and with what comes after the
// wait. These are the rules of OpenCL 2.0 to 3.0; no device's rules are added.
//
// Finds every pair of places that races, for each cell. The last accesses of a few work-items are
// kept for each place of the text, and tell how often, and what it led to. Older ones go to an
// archive, which is asked where those few show no race. An access is dropped only if a later one of
// the same place and group happens after it: whatever races with it races with the later one, too.
// Where barriers alone order, two work-items of a group's last interval stand for all of them. Only
// what exceeds a limit is forgotten, and forgot() then says so.
//
// Where a cell is met in very many places of the text, or very many pairs of places race, the pairs
// are no longer all told apart: it stays known that there is a race, and left_out() says so.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "analysis/happens_before.h"
#include "machine/machine.h"
namespace lab::analysis {

// All pairs of two places of the text that conflict in the same way.
struct Race {
    struct Side {
        std::uint32_t place = 0;           // in the code of the launch
        std::uint64_t item = 0;            // global id
        std::uint32_t pass = 0, turn = 0;  // as an Action has them
        bool writes = false, atomic = false;
        bool copies = false;  // in an asynchronous copy: `item` is the one of that element
    };
    // Two accesses of one cell. `first` comes first in program order (happens_before.h).
    struct Pair {
        Side first, second;
        bool swapped = false;      // `second` happened before `first`
        bool adjacent = true;      // no write of the cell between the two
        std::uint32_t object = 0;  // of the launch
        std::uint64_t cell = 0;    // in the object's elements
        machine::Scalar type = machine::Scalar::int_;
        // The cell's value before and after the (later) write; for two writes, the value that each
        // left.
        std::uint64_t before = 0, after = 0;
        std::uint64_t taken = 0;  // by the read
        bool unwritten = false;   // nobody had written what it took
        std::uint64_t time = 0;   // of the later of the two: actions before it in the run
    };
    // A cell with such a pair, in the pass of the read, or of the second of two writes.
    struct Spot {
        std::uint32_t object = 0, group = 0, pass = 0;  // pass as an Action has it
        std::uint64_t cell = 0;                         // in the object's elements
        std::uint64_t first = 0, second = 0;            // global ids
        std::uint32_t other_pass = 0;                   // of the other of the two
        auto operator<=>(const Spot&) const = default;
    };
    std::uint32_t launch = 0;
    bool across_groups = false;
    bool by_atomics = false;  // no race: ordered by atomics and fences
    // Ordered if fences and atomics of group or sub-group scope had the device's: all pairs.
    bool narrow_scope = true;
    std::uint16_t atomics_in = 0;  // memory with atomics so far: kFenceLocal, kFenceGlobal
    Pair example;                  // one whose order mattered, if any, else the first adjacent one
    // Adjacent pairs in program order, adjacent pairs swapped, and pairs that are not adjacent.
    std::uint64_t in_order = 0, swapped = 0, apart = 0;
    std::uint64_t mattered = 0;  // swapped ones whose write changed the value
    bool same_value = true;      // both write, and always the same value
    bool lockstep = true;        // all pairs are within one warp, of two instructions
    bool one_turn = true;        // all pairs are within one iteration of their loop
    std::set<Spot> spots;        // each cell and pass once, at most kMostSpots
    // Cells and passes of a race that are marked; further ones are not.
    static constexpr std::size_t kMostSpots = 65'536;
};

// True if one group reads what another writes.
inline bool is_read_across_groups(const Race& race) {
    return race.across_groups && !(race.example.first.writes && race.example.second.writes);
}

class RaceDetector : public machine::Observer {
  public:
    void begin(const machine::Machine& machine) override;
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;
    void observe_all(std::span<const machine::Part> parts,
                     std::span<const machine::Access> accesses) override;
    void detail(const machine::Detail& detail) override;

    // One per pair of places, kind of access, across groups or not, ordered or not; in the order of
    // discovery.
    const std::vector<Race>& races() const { return races_; }
    // True if some pairs of places may be missing among them, though not all that a cell has.
    bool left_out() const { return left_out_; }
    // True if accesses were forgotten, so that a cell's only race may be missing.
    bool forgot() const { return forgot_; }
    // Accesses that others were held against: what it took beside the run's instructions.
    std::uint64_t compared() const { return compared_; }
    // True if atomics or fences ordered any two accesses that conflict.
    bool handed_over() const { return handed_over_; }
    // True if two groups updated a cell by atomics of OpenCL 1.x, which by the letter of OpenCL C
    // 3.0 race there: only their group is in their scope. Here they have the device's.
    bool legacy_between_groups() const { return legacy_between_groups_; }
    // True if a barrier opened to which some of its group did not come, since they had ended. CUDA
    // lets it, and promises that it orders those who came; here it orders what the others did, too.
    bool ended_before_barrier() const { return ended_before_barrier_; }

  private:
    struct Touch {
        std::uint64_t before = 0, after = 0;
        std::uint32_t item = 0, epoch = 0, place = 0, pass = 0, time = 0;
        std::uint32_t serial = 0;  // counts accesses
        std::uint16_t turn = 0;
        std::uint16_t order = 0;  // of an atomic: as Detail::Kind::order has it
        machine::Scalar type = machine::Scalar::int_;
        std::uint8_t bytes = 0xff;  // of the cell, a bit each
        bool writes = false, atomic = false;
        bool unwritten = false;      // a read of what nobody had written
        std::uint32_t interval = 0;  // barriers of its sub-group before it
        std::uint32_t copy = 0;      // number of an asynchronous copy; `epoch` is that of its call
    };
    // Older accesses of one place and kind, by group.
    struct Archive {
        Touch kind;
        std::vector<Touch> touches;
    };
    struct Crowd {
        std::vector<Touch> recent;
        std::vector<Archive> older;
        std::array<std::uint32_t, 8> written{};  // serial of the last write, by byte
        bool coarse = false;                     // too many places to tell them apart
    };
    // The first two are stored inline: most cells never have more at a time.
    struct Cell {
        std::array<Touch, 2> first;
        std::uint32_t count = 0;
        std::unique_ptr<Crowd> more;
    };
    using Cells = std::vector<Cell>;

    void begin_launch(std::uint32_t launch);
    Cells& cells_of(const machine::Action& action, const machine::ObjectInfo& object);
    Cells& local_cells(std::uint64_t key, std::size_t count);
    void arrive(const machine::Action& action);
    void open(std::uint32_t group, std::uint16_t flags);
    void forget(std::uint32_t group);
    void forget_cells();  // what was touched before a launch, or a barrier of all its groups
    // `failed`: lanes whose compare-exchange wrote nothing.
    void touch(const machine::Action& action, std::span<const machine::Access> accesses,
               std::uint64_t failed);
    void note_order(const machine::Action& action, const machine::ObjectInfo& object,
                    const Touch& now, std::uint64_t byte);
    void compare(Cell& cell, const Touch& now, std::uint64_t index);
    // Returns true if they race; tells of it if `tell`.
    bool meet(const Touch& before, const Touch& now, std::uint64_t index, bool adjacent, bool tell);
    void ask_archive(Crowd& crowd, const Touch& now, std::uint64_t index);
    // `one_group`: all accesses of the cell are from one group.
    void keep(Cell& cell, const Touch& now, bool one_group);
    void archive(Crowd& crowd, const Touch& touch);
    static bool alike(const Touch& a, const Touch& b, bool coarse);
    static bool is_current(const Cell& cell, const Touch& touch, std::uint8_t bytes);
    bool concurrent(const Touch& before, const Touch& now) const;  // in one group
    bool ordered_by_atomics(const Touch& before, const Touch& now) const;
    bool ordered_by_lanes(const Touch& before, const Touch& now) const;
    bool ordered_if_wider(const Touch& before, const Touch& now) const;
    HappensBefore::Event event_of(const Touch& touch) const;
    // Two atomics that no order is needed for.
    bool indivisible(const Touch& before, const Touch& now);
    void report(const Touch& before, const Touch& now, std::uint64_t index, bool adjacent,
                bool by_atomics);
    Race::Pair pair_of(const Touch& before, const Touch& now, std::uint64_t index,
                       bool adjacent) const;
    void add_spot(Race& race, const Race::Pair& pair) const;
    std::uint32_t group_of(const Touch& touch) const { return touch.item / context_->local; }
    HappensBefore::Who who(std::uint32_t item) const;
    void clear(Cell& cell);  // its crowd
    template <typename Call>
    void for_orders(Call call) {
        for (HappensBefore& each : happens_before_)
            call(each);
        if (if_wider_) call(*if_wider_);
    }
    // Those that barriers of lanes belong to.
    template <typename Call>
    void for_barriers(Call call) {
        for_orders(call);
        for (HappensBefore& each : by_lanes_)
            call(each);
    }

    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    const machine::Action* action_ = nullptr;  // the one at hand
    std::uint32_t time_ = 0, serial_ = 0;
    std::uint64_t failed_ = 0;  // lanes of the next action whose compare-exchange failed
    std::uint32_t atomic_order_ = lang::kPlainAtomic;  // of the next action
    std::uint32_t copies_ = 0;                         // asynchronous copies so far
    std::uint64_t copy_began_ = 0;                     // actions before the call of the last one
    std::uint64_t archived_ = 0;                       // accesses in archives
    std::uint64_t compared_ = 0;
    bool left_out_ = false, forgot_ = false, handed_over_ = false, legacy_between_groups_ = false;
    bool ended_before_barrier_ = false;
    std::optional<ProgramOrder> order_;  // of the launch
    // For a launch with fences or atomics that order: for local memory and for global memory.
    bool has_atomic_order_ = false;
    std::array<HappensBefore, 2> happens_before_{HappensBefore(lang::kFenceLocal),
                                                 HappensBefore(lang::kFenceGlobal)};
    // The same of barriers alone, where sub-groups have some beside atomics; empty elsewhere.
    std::vector<HappensBefore> by_lanes_;
    bool lanes_alone_ = false;      // no atomics, so that barriers of lanes are all that orders
    std::uint16_t atomics_in_ = 0;  // as Race has it
    // The order in global memory if all scopes were the device's, where some are narrower.
    std::optional<HappensBefore> if_wider_;
    std::unordered_map<std::uint32_t, std::uint32_t> arrived_;  // warps at a barrier, by group
    bool local_ = false;                                        // the object at hand
    // By warp: barriers of its sub-group, of local and of global memory. Empty: there are none.
    std::vector<std::array<std::uint32_t, 2>> intervals_;
    std::vector<bool> written_;                             // by buffer: by this launch
    std::vector<Cells> global_;                             // by buffer
    std::unordered_map<std::uint64_t, Cells> local_cells_;  // by group and object
    std::vector<Cells> spare_;  // of groups that have ended, to be used again
    std::uint64_t local_key_ = ~std::uint64_t{0};
    Cells* last_local_ = nullptr;
    std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned>, std::size_t> found_;
    std::vector<Race> races_;
};

}  // namespace lab::analysis
