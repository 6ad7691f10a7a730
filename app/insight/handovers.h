// Who knows of whose writes by way of atomic functions: a ticket, a counter, a lock.
//
// Atomics order nothing by themselves in OpenCL 1.2; with fences at both sides they do what every
// device does in fact. So what is handed over by them is told apart from a race. An atomic function
// on a cell passes on what its work-item knows (its own accesses; those of its group before the
// last barrier; what it took over itself) and takes over what was passed on through that cell
// before.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lab {

class Handovers {
  public:
    // An access: by whom, in which barrier interval of its group, when.
    struct Event {
        std::uint32_t item = 0, group = 0, epoch = 0, time = 0;
    };

    void clear();
    // `event` is an atomic function on that cell; its epoch counts barriers that fence global
    // memory. Events come by time.
    void atomic(std::uint64_t cell, const Event& event);
    // `event` is a plain read of what an atomic function wrote: it takes over, and passes nothing
    // on.
    void poll(std::uint64_t cell, const Event& event);

    // Whether what `before` did was handed over to who does `now`. `epoch` of `before` counts
    // barriers that fence the memory which it touched, `by_group` says whether that is global.
    bool handed_over(const Event& before, const Event& now, bool by_group) const;

  private:
    // How much of each cell's history somebody knows: its first so many atomics.
    using Known = std::unordered_map<std::uint64_t, std::uint32_t>;
    struct Mark {
        std::uint32_t at = 0;       // a time, or an epoch
        std::uint32_t version = 0;  // of the cell: atomics on it until then, with this one
    };
    struct History {
        std::uint32_t versions = 0;
        Known carried;
        std::unordered_map<std::uint32_t, std::vector<Mark>> by_item, by_group;  // rising
    };
    struct Party {
        Known known;    // of a group: from before the last barrier
        Known pending;  // of a group: from since then
        std::uint32_t epoch = 0;
    };

    static void join(Known& into, const Known& from);
    Party& group_at(std::uint32_t group, std::uint32_t epoch);
    Known& take(const History& history, std::uint64_t cell, const Event& event);
    bool knows(const Known& known, const Event& before, bool by_group) const;

    std::unordered_map<std::uint64_t, History> cells_;
    std::unordered_map<std::uint32_t, Known> items_;
    std::unordered_map<std::uint32_t, Party> groups_;
};

}  // namespace lab
