// All that changes while the machine runs, as one value: a copy is a checkpoint.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "machine/memory.h"
#include "machine/print.h"

namespace lab::machine {

enum class Status : std::uint8_t {
    ready,    // stands before its next action
    waiting,  // at a barrier
    done,
};

struct Warp {
    std::uint32_t pc = 0;  // of its next action, if it is ready
    Status status = Status::ready;
    std::uint32_t pass = 0;  // iterations of the loop that counts passes, if no barrier does
    std::uint32_t turn = 0;  // iteration of the outermost loop with shared memory, from 1
    std::uint64_t exec = 0;  // the active lanes
    std::uint64_t live = 0;  // the lanes that exist: fewer in the last warp of a group
};

// An asynchronous copy of a group that nobody has waited for yet. It is done when they wait: no
// earlier, so that whoever touches its memory too early finds what was there before.
struct Copy {
    std::uint64_t event = 0;
    std::uint64_t to = 0, from = 0;  // pointers
    std::uint64_t elements = 0, stride = 1;
    std::uint64_t time = 0;                           // actions before it began
    std::uint32_t instruction = 0;                    // where it began
    std::uint32_t epoch_local = 0, epoch_global = 0;  // of the group, then
};

// A resident work-group. Registers and masks of all its warps stand one after another.
struct Group {
    std::uint32_t id = 0;
    std::uint32_t epoch_local = 0, epoch_global = 0;  // barriers passed that fenced that space
    std::uint32_t passes = 0;                         // barriers passed
    std::uint32_t waiting = 0, done = 0;              // warps
    std::vector<Warp> warps;
    std::vector<std::uint64_t> ready;      // a bit per warp
    std::vector<std::uint64_t> registers;  // [warp][register][lane]
    std::vector<Node> nodes;               // the same; empty: no lineage
    std::vector<std::uint64_t> masks;      // [warp][slot]
    std::vector<std::uint32_t> left;       // [warp][lane]: the place where it last left a block
    std::vector<Copy> copies;              // not waited for
    std::uint64_t events = 0;              // given out
    Block local;
    Block own;  // private memory, [item][byte]
};

// The group's first ready warp from `from` on; the number of warps if there is none.
inline std::uint32_t ready_from(const Group& group, std::uint32_t from) {
    const std::vector<std::uint64_t>& ready = group.ready;
    std::size_t word = from / 64;
    if (word < ready.size() && ready[word] >> (from % 64U) != 0)
        return from + static_cast<std::uint32_t>(std::countr_zero(ready[word] >> (from % 64U)));
    while (++word < ready.size())
        if (ready[word] != 0)
            return static_cast<std::uint32_t>(word * 64) +
                   static_cast<std::uint32_t>(std::countr_zero(ready[word]));
    return static_cast<std::uint32_t>(group.warps.size());
}

inline bool none_runs(const Group& group) {
    return group.waiting + group.done == group.warps.size();
}

inline void set_ready(Group& group, std::uint32_t warp, bool ready) {
    std::uint64_t& word = group.ready[warp / 64];
    const std::uint64_t bit = std::uint64_t{1} << (warp % 64U);
    word = ready ? word | bit : word & ~bit;
}

struct State {
    std::uint32_t launch = 0;      // the current one; the number of launches: all are done
    std::uint32_t next_group = 0;  // the first of the launch that has not begun
    std::uint64_t time = 0;        // actions so far, over all launches
    std::uint64_t steps = 0;       // instructions so far
    Node next_node = 1;
    std::vector<PagedBuffer> memory;
    std::vector<Shared<Group>> groups;  // the resident ones, by id
    Shared<std::vector<Print>> prints;  // in order; empty: nobody has printed
};

}  // namespace lab::machine
