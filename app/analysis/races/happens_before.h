// The happens-before order that atomics and fences make between work-items of a launch, for data in
// one address space (OpenCL C 1.2, sections 6.12.9 and 6.12.11).
//
// Release: an access, then a fence, then an atomic. Acquire: an atomic that reads what the
// releasing one left (or what later atomics made of it), then a fence. Fences must name the memory
// of the data and that of the atomic. write_mem_fence releases only a work-item's own writes,
// read_mem_fence acquires only for reads. A barrier is a fence for the whole group: what one of
// them knew before, all know after. A plain store ends a chain of atomics. An atomic itself happens
// before what follows the acquire of a later one in its chain.
//
// A vector clock over all work-items would be too large. A clock here has an entry per chain: how
// much of the chain is known; the chain records what was released into it by then.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lab::analysis {

class HappensBefore {
  public:
    // Of data in that memory: lang::kFenceLocal or kFenceGlobal.
    explicit HappensBefore(std::uint16_t space) : space_(space) {}
    void clear();

    // An access. `epoch` counts the group's barriers that fence the data's memory; times rise.
    struct Event {
        std::uint32_t item = 0, group = 0, epoch = 0, time = 0;
        std::uint32_t atomic = 0;  // the number from atomic(); 0: a plain access
        std::uint64_t cell = 0;
        bool writes = false;
    };
    // An atomic on a cell of memory `space`; a failed one only reads. Returns its number, from 1.
    std::uint32_t atomic(const Event& event, std::uint16_t space);
    void plain_store(std::uint64_t cell);
    // `flags`: lang::kFence…. What happened at `time` or before is before the fence.
    void fence(std::uint32_t item, std::uint32_t group, std::uint16_t flags, std::uint32_t time);
    // The whole group has arrived.
    void barrier(std::uint32_t group, std::uint16_t flags);

    // Whether atomics order `before`, an earlier access, before `now`, the next one.
    bool ordered(const Event& before, const Event& now) const;

  private:
    // How much of each chain is known: all atomics up to that number. Sorted by chain.
    class Clock {
      public:
        void raise(std::uint32_t chain, std::uint32_t number);
        void join(const Clock& other);
        void clear() { known_.clear(); }
        const std::vector<std::pair<std::uint32_t, std::uint32_t>>& known() const { return known_; }

      private:
        std::vector<std::pair<std::uint32_t, std::uint32_t>> known_;
    };
    // Atomic number `number` released what was before `until`: a time, or an epoch.
    struct Mark {
        std::uint32_t until = 0, number = 0;
    };
    using Marks = std::unordered_map<std::uint32_t, std::vector<Mark>>;  // both rise
    struct Chain {
        std::uint64_t cell = 0;
        std::uint32_t begin = 0, last = 0;  // numbers of atomics on it: above begin
        Clock carried;
        Marks by_item, writes_by_item, by_group;
    };
    // What a work-item's atomics release.
    struct Release {
        std::uint32_t time = 0, epoch = 0;  // its own accesses until then, its group's until then
        Clock known;
    };
    // In pairs: [0] for atomics in the data's memory, [1] for the other one.
    struct Item {
        Clock known, known_to_reads;  // since the last barrier
        Clock seen[2];                // read by its atomics; counts after the next fence
        Release release[2];
        std::uint32_t writes_until[2] = {0, 0};  // by write_mem_fence
        bool listed = false;                     // in its group's items
    };
    struct Group {
        Clock known;
        Release release[2];  // of its last barrier, without a time
        std::uint32_t epoch = 0;
        std::vector<std::uint32_t> items;  // those that acquired something since its last barrier
    };

    bool fences(std::uint16_t flags, unsigned which) const {
        const auto wanted = static_cast<unsigned>(which == 0 ? space_ : 3);
        return (flags & wanted) == wanted;
    }
    void release(Chain& chain, const Event& event, unsigned which);
    bool knows(const Clock& clock, const Event& before) const;
    static void add(Marks& marks, std::uint32_t whose, Mark mark);
    static bool has(const Marks& marks, std::uint32_t whose, std::uint32_t index,
                    std::uint32_t most);

    std::uint16_t space_;
    std::uint32_t atomics_ = 0;
    std::vector<Chain> chains_;
    std::unordered_map<std::uint64_t, std::uint32_t> chain_of_;  // by cell: the last one
    std::unordered_map<std::uint32_t, Item> items_;
    std::unordered_map<std::uint32_t, Group> groups_;
};

}  // namespace lab::analysis
