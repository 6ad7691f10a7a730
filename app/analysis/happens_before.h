// The happens-before order that fences and atomics make between work-items of a launch, for data in
// one address space: local- or global-happens-before of OpenCL 2.0 to 3.0, section 3.3.7 of the
// API's specification. The letters are that section's.
//
// A release A synchronizes with an acquire B if A is an atomic, or a fence before an atomic X; B is
// an atomic, or a fence behind an atomic Y; and Y reads what X left, or what a release sequence
// made of it: atomics that read and write, by any work-item, and stores by the one that did X. The
// scopes of A and B must be the same, and both work-items be within it. The fences must name the
// memory of the data, and the atomics lie in it; atomics in the other memory serve if both fences
// name both, or both sides are memory_order_seq_cst. A barrier is a release fence, then all wait,
// then an acquire fence; all of a group's, or of a sub-group's.
//
// CUDA has one order for all memory, and its scopes need not be the same: those of A, B, X and Y
// must each include the others' work-items (libcu++, Memory model). There a release counts for each
// scope within its own and X's, and so does an acquire: they meet in the wider ones that all have.
//
// A vector clock over all work-items would be too large. A clock here has an entry per chain: how
// much of the chain is known; the chain records what was released into it by then. A chain is what
// one cell hands on in one way (Channel), to those of one device, group or sub-group.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/code.h"
#include "machine/trace.h"
namespace lab::analysis {

class HappensBefore {
  public:
    // Orders accesses of data in that memory: lang::kFenceLocal or kFenceGlobal; by CUDA's rules if
    // `is_cuda`. `widened`: as if all scopes were the device's, and who comes to a barrier acquired
    // before it passed that on.
    explicit HappensBefore(std::uint16_t space, bool is_cuda = false, bool widened = false)
        : space_(space), is_cuda_(is_cuda), widened_(widened) {}

    // A work-item. `warp` counts through all groups.
    struct Who {
        std::uint32_t item = 0, group = 0, warp = 0;
    };
    // An access. `epoch` counts the group's barriers that fence the data's memory; times rise.
    struct Event {
        Who who;
        std::uint32_t epoch = 0, time = 0;
    };
    struct Atomic {
        std::uint16_t space = 0;  // of its cell
        std::uint64_t word = 0;   // 4 bytes, of all memory; an atomic of 8 begins there
        bool wide = false;        // 8 bytes
        std::uint16_t order = lang::kPlainAtomic;
        bool writes = true;
    };
    void atomic(const Event& event, const Atomic& atomic);
    // Ends the chains of the atomics there.
    void plain_store(std::uint64_t word);
    // `flags` as lang::Instruction has them. What happened at `time` or before is before the fence.
    void fence(const Who& who, std::uint16_t flags, std::uint32_t time);
    // Synchronises consecutive work-items from `first` on, all of one warp.
    void sub_group_barrier(const Who& first, std::uint64_t lanes, std::uint16_t flags,
                           std::uint32_t time);
    // A work-item comes to a barrier whose scope is not the group's.
    void arrive(const Who& who, std::uint16_t flags, std::uint32_t time);
    // The whole group has arrived.
    void barrier(std::uint32_t group, std::uint16_t flags);

    // True if atomics and fences order `before`, an earlier access, before `now`, the next one.
    bool ordered(const Event& before, const Event& now) const;

  private:
    // How much of each chain is known: all that was released up to that number. Sorted by chain.
    class Clock {
      public:
        void raise(std::uint32_t chain, std::uint32_t number);
        void join(const Clock& other);
        void clear() { known_.clear(); }
        const std::vector<std::pair<std::uint32_t, std::uint32_t>>& known() const { return known_; }

      private:
        std::vector<std::pair<std::uint32_t, std::uint32_t>> known_;
    };
    // A release passes on a work-item's own accesses before a time, its group's before an epoch,
    // and what it knows.
    struct Release {
        std::uint32_t time = 0, epoch = 0;
        Clock known;
    };
    // Release number `number` released what was before `until`: a time, or an epoch.
    struct Mark {
        std::uint32_t until = 0, number = 0;
    };
    using Marks = std::unordered_map<std::uint32_t, std::vector<Mark>>;  // both rise
    struct Chain {
        Clock carried;
        Marks by_item, by_group;
    };
    // How one hands over: by an atomic in the data's memory, or in the other one.
    enum class Via : std::uint8_t { own, both, sequential };
    struct Channel {
        Via via = Via::own;
        lang::MemoryScope scope = lang::MemoryScope::device;
        unsigned index() const {
            return static_cast<unsigned>(via) * 3 + static_cast<unsigned>(scope);
        }
    };
    static constexpr unsigned kChannels = 9;
    template <typename Value>
    using ByChannel = std::vector<std::pair<unsigned, Value>>;  // few of them
    struct Item {
        Clock known;               // since the last barrier
        ByChannel<Clock> seen;     // read by its atomics; counts after the next fence
        ByChannel<Release> ready;  // by its last fences
        bool listed = false;       // in its group's items
    };
    struct Group {
        Clock known;
        std::uint32_t epoch = 0;
        std::vector<std::uint32_t> items;  // those that acquired something since its last barrier
    };
    // A cell of atomics, since the last store that ended all others' release sequences.
    struct Head {
        Who who;
        Channel channel;
        Release release;
    };
    struct Cell {
        std::uint32_t since = 0;  // number of that store
        std::uint16_t used = 0;   // a bit per channel that has chains
        bool wide = false;
        std::vector<Head> heads;  // releases by atomics themselves, one per work-item and channel
    };

    template <typename Value>
    static Value& of(ByChannel<Value>& all, unsigned channel);
    lang::MemoryScope scope_in(lang::MemoryScope scope, Via via) const;
    std::uint32_t chain_of(const Cell& cell, std::uint64_t word, Channel channel, const Who& who,
                           bool make);
    template <typename Call>
    void for_scopes(lang::MemoryScope scope, Via via, Call call) const;
    template <typename Call>
    void for_channels(std::uint16_t flags, Call call) const;
    Release release_of(const Who& who, std::uint32_t time) const;
    void add(std::uint32_t chain, const Who& who, const Release& release);
    void add(Cell& cell, std::uint64_t word, Channel channel, const Who& who,
             const Release& release);
    void acquire(const Who& who, std::uint16_t flags);
    Item& listed(const Who& who);
    bool knows(const Clock& clock, const Event& before) const;
    static void mark(Marks& marks, std::uint32_t whose, Mark mark);
    static bool has(const Marks& marks, std::uint32_t whose, std::uint32_t index,
                    std::uint32_t most);

    std::uint16_t space_;
    bool is_cuda_, widened_;
    std::uint32_t numbers_ = 0;
    std::vector<Chain> chains_;
    std::unordered_map<std::uint64_t, Cell> cells_;  // by word
    struct Key {
        std::uint64_t word;
        std::uint32_t since, within, channel;
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const;
    };
    std::unordered_map<Key, std::uint32_t, HashKey> chain_of_;
    // Barriers of the same lanes of a warp have one chain: those of others hand nothing to them.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> chain_of_lanes_;
    std::unordered_map<std::uint32_t, Item> items_;
    std::unordered_map<std::uint32_t, Group> groups_;
};

// Program order as if all work-items went through the text in step: which of two accesses comes
// first is what the text seems to mean, whatever the schedule.

// For one code. Iterations of an outermost loop are ordered; everything else is ordered by its
// place in the text. Inner loops count as one iteration.
class ProgramOrder {
  public:
    explicit ProgramOrder(const lang::Code& code);

    struct Position {
        std::uint32_t loop = 0;  // 0: in none
        std::uint32_t turn = 0;
        std::uint32_t at = 0;  // an instruction

        bool operator==(const Position&) const = default;
    };
    Position position(std::uint32_t place, machine::ActionKind kind, std::uint32_t turn) const;

    static bool comes_before(const Position& a, const Position& b) {
        if (a.loop == b.loop && a.turn != b.turn) return a.turn < b.turn;
        return a.at < b.at;
    }

  private:
    struct Spot {
        std::uint32_t at = 0, loop = 0;
    };
    std::vector<std::array<Spot, 3>> spots_;  // by place; of its first load, store and atomic
};

}  // namespace lab::analysis
