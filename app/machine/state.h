// All that changes while the machine runs, as one value: a copy is a checkpoint.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "machine/job.h"
#include "machine/memory.h"
#include "machine/trace.h"
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

// The resident groups, by id. Of many it keeps blocks with gaps, so that one that ends moves only
// its block. Of few, and in a search these are copied often, it is one list.
class GroupList {
  public:
    bool empty() const { return size() == 0; }
    std::size_t size() const { return begins_.empty() ? held_.size() : begins_.back(); }
    const Shared<Group>& operator[](std::size_t slot) const { return held_[place_of(slot)]; }
    Shared<Group>& operator[](std::size_t slot) { return held_[place_of(slot)]; }
    // Returns the first of the slots from `low` to before `high` whose group has that id or a later
    // one; `high` if none has.
    std::size_t slot_from(std::uint32_t id, std::size_t low, std::size_t high) const;

    Group& add();
    void erase(std::size_t slot);
    // With the gaps, which hold nothing.
    const std::vector<Shared<Group>>& held() const { return held_; }

    class Iterator {
      public:
        Iterator(const GroupList& list, std::size_t slot) : list_(list), slot_(slot) {}
        const Shared<Group>& operator*() const { return list_[slot_]; }
        Iterator& operator++() { return ++slot_, *this; }
        bool operator!=(const Iterator& other) const { return slot_ != other.slot_; }

      private:
        const GroupList& list_;
        std::size_t slot_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

  private:
    static constexpr std::size_t kBlock = 512;  // a longer one moves more, a shorter one makes more

    std::size_t block_of(std::size_t slot) const {
        return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), slot) -
                                        begins_.begin() - 1);
    }
    std::size_t place_of(std::size_t slot) const {
        if (begins_.empty()) return slot;
        const std::size_t block = block_of(slot);
        return block * kBlock + slot - begins_[block];
    }

    std::vector<Shared<Group>> held_;
    // The slot that each block begins with, then size(); empty: one list without gaps.
    std::vector<std::uint32_t> begins_;
};

struct State {
    std::uint32_t launch = 0;      // the current one; the number of launches: all are done
    std::uint32_t next_group = 0;  // the first of the launch that has not begun
    std::uint64_t time = 0;        // actions so far, over all launches
    std::uint64_t steps = 0;       // instructions so far
    Node next_node = 1;
    std::vector<PagedBuffer> memory;
    GroupList groups;
    Prints prints;
};

// A launch prepared to run: what its work-items share and never change.

// A pointer is an object number and a byte offset into that object. Object 0: null.
inline constexpr unsigned kOffsetBits = 48;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;
inline std::uint64_t object_in(std::uint64_t pointer) {
    return pointer >> kOffsetBits;
}
inline std::int64_t offset_in(std::uint64_t pointer) {  // may be negative
    return static_cast<std::int64_t>(pointer << (64U - kOffsetBits)) >> (64U - kOffsetBits);
}
inline std::uint64_t moved(std::uint64_t pointer, std::int64_t bytes) {
    return (pointer & ~kOffsetMask) | ((pointer + static_cast<std::uint64_t>(bytes)) & kOffsetMask);
}

struct Context {
    const lang::Code* code = nullptr;
    std::uint32_t launch = 0;
    std::uint32_t lanes = 1, local = 1, warps = 1, groups = 1;  // warps: per group
    std::uint64_t global = 1;  // work-items in all; `local`: of a group
    IndexSpace space;
    bool plain = true;  // its range is: numbers are ids
    std::uint32_t registers = 1, masks = 1;
    std::vector<std::uint64_t> uniforms;  // [register][lane]
    std::vector<Node> no_nodes;           // as many zeros as uniforms
    // By object number: 1 to `visible` are memory that several work-items see, then private arrays.
    std::vector<ObjectInfo> objects;
    std::size_t visible = 0;
    std::uint64_t local_bytes = 0, local_nodes = 0;
    std::uint64_t private_bytes = 0, private_nodes = 0;  // per work-item

    // Returns how many lanes a warp has: the last one of a group may have fewer.
    std::uint32_t lanes_in(std::uint32_t warp) const {
        return std::min(lanes, local - warp * lanes);
    }
    // Returns a work-item's number in the launch.
    std::uint64_t item(std::uint64_t group, std::uint64_t warp, std::uint64_t lane) const {
        return group * local + warp * lanes + lane;
    }
    // Returns the index in Group::registers and Group::nodes of a register of a lane.
    std::size_t place(std::size_t warp, std::uint32_t reg, std::size_t lane) const {
        return (warp * registers + reg) * lanes + lane;
    }

    // A work-item by its number in the launch, a group by its: as messages name them.
    std::string item_name(std::uint64_t item) const { return space.item_name(item); }
    std::string group_name(std::uint64_t group) const { return space.group_name(group); }

    // Returns what get_global_id and the like give in a dimension; lang::kLinear: their linear
    // forms.
    std::uint64_t global_id(std::uint64_t group, std::uint64_t in_group,
                            std::uint64_t dimension) const;
    std::uint64_t local_id(std::uint64_t in_group, std::uint64_t dimension) const;
    std::uint64_t group_id(std::uint64_t group, std::uint64_t dimension) const;
};

// Returns what a register of a lane holds; a uniform one, in all warps.
inline std::uint64_t value_in(const Context& context, const Group& group, std::size_t warp,
                              std::uint32_t reg, std::size_t lane) {
    if ((reg & lang::kUniform) != 0)
        return context.uniforms[std::size_t{reg & ~lang::kUniform} * context.lanes + lane];
    return group.registers[context.place(warp, reg, lane)];
}

// Bytes that a resident group takes: registers, local and private memory.
std::uint64_t group_bytes(const Context& context, bool lineage);

// Throws Problem if the arguments do not fit the kernel's parameters, or the sizes do not match.
Context make_context(const Job& job, std::uint32_t launch);

// Where conditions split warps and when work-items ended, which a trace of visible actions lacks.

// A condition in the kernel, counted over all warps that reached it.
struct Branch {
    enum class Kind : std::uint8_t { condition, loop, case_ } kind = Kind::condition;
    std::uint32_t launch = 0;
    std::uint32_t place = 0;   // in the code of its launch
    std::uint64_t times = 0;   // how often a warp reached it
    std::uint64_t splits = 0;  // of those: it held for some of the active lanes, but not for all
    std::uint32_t least = 0, most = 0;  // lanes for which it held, over the splits
    bool held = false, failed = false;  // for some lane, at some time
};
const char* name_of(Branch::Kind kind);

// Lanes whose work-items reached the end of the kernel.
struct LaneEnd {
    std::uint64_t time = 0;  // actions so far: the next has this number
    std::uint64_t lanes = 0;
    std::uint32_t launch = 0, group = 0, warp = 0;
    std::uint32_t pass = 0;  // as in Action
};

class Flow {
  public:
    // `came`: the lanes that evaluate the condition; `held`: those for which it held.
    void branch(std::uint32_t launch, std::uint32_t place, Branch::Kind kind, std::uint64_t came,
                std::uint64_t held);
    void ended(const LaneEnd& ending) { endings_.push_back(ending); }

    std::vector<Branch> branches() const;  // by launch and place
    const std::vector<LaneEnd>& endings() const { return endings_; }

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, Branch> branches_;
    std::vector<LaneEnd> endings_;
};

}  // namespace lab::machine
