// The trace of a run: every visible action, in order, with the cells that it touched.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "machine/job.h"
#include "machine/memory.h"
namespace lab::machine {

class Machine;

enum class ActionKind : std::uint8_t { load, store, atomic, barrier, collective };
const char* name_of(ActionKind kind);

// Iterates over the bits that are set in a mask, such as lanes:
// for (const std::uint32_t lane : set_bits(mask)).
struct SetBits {
    std::uint64_t mask = 0;

    std::uint32_t operator*() const { return static_cast<std::uint32_t>(std::countr_zero(mask)); }
    void operator++() { mask &= mask - 1; }
    bool operator==(const SetBits&) const = default;
    SetBits begin() const { return *this; }
    SetBits end() const { return {}; }
};
inline SetBits set_bits(std::uint64_t mask) {
    return {mask};
}

// One instruction of one warp, as the trace stores it.
struct Action {
    std::uint64_t mask = 0;   // the lanes that took part
    std::uint32_t first = 0;  // its first access
    std::uint32_t group = 0;
    std::uint32_t pass = 0;  // of the group (barriers passed), or of the warp (loop iterations)
    std::uint32_t epoch_local = 0, epoch_global = 0;  // barriers passed that fenced that space
    std::uint32_t place = 0;  // in the code of its launch, whose `places` have the line
    std::uint16_t launch = 0;
    std::uint16_t turn = 0;        // iteration of the outermost loop, from 1; 0: in none
    std::uint16_t warp : 10 = 0;   // in the group
    std::uint16_t copies : 1 = 0;  // of an asynchronous copy: the group did it, not its lanes
    std::uint16_t count : 5 = 1;   // elements per lane, one access each
    ActionKind kind : 3 = ActionKind::load;
    Scalar type : 5 = Scalar::int_;
    std::uint8_t object = 0;  // in its launch: see ObjectInfo
};
inline constexpr std::uint32_t kLastTurn = 0xffff;  // where Action::turn stops counting
static_assert(sizeof(Action) == 40);

// One element that a lane read or wrote. The accesses of an action are those of its lowest lane,
// in order, then of the next lane.
struct Access {
    std::uint64_t before = 0, after = 0;  // as registers hold values
    std::uint32_t index = 0;              // in units of its action's type
    Node node = 0;  // of the value read or written; kUnwritten: read before any write
};
static_assert(sizeof(Action) + sizeof(Access) <= 64);

// An action on its way to observers.
struct Part {
    Action action;
    std::size_t first = 0, end = 0;  // of the accesses that came with it
    bool continues = false;          // same instruction as the part before it
};

// Facts that do not fit in an Action.
struct Detail {
    enum class Kind : std::uint8_t {
        failed,  // lanes of the action at that time whose compare-exchange wrote nothing
        order,   // of the atomic at that time: in `flags`
        fence,   // lanes that passed a fence, or a sub-group's barrier, before that time
        ended,   // a group in which nothing happens from that time on
        opened,  // a barrier, to which those of the group who had ended did not come
        grid,    // all groups have come to a barrier: what was before that time is before the rest
        copy,    // what follows is a copy that began when `mask` actions had been done
    } kind = Kind::fence;
    std::uint32_t flags = 0;  // for a fence or an order: as lang::Instruction has them
    std::uint32_t launch = 0, group = 0, warp = 0;
    std::uint64_t mask = 0;  // the lanes
    std::uint64_t time = 0;  // actions before it
};

// Memory that several work-items can see, as one launch names it.
struct ObjectInfo {
    std::string name;
    Space space = Space::global;
    Scalar element = Scalar::int_;
    std::uint64_t element_bytes = 4;
    std::uint64_t bytes = 0;
    std::uint64_t base = 0;       // for local memory: within the group's
    std::uint64_t node_base = 0;  // the same, in nodes
    std::uint8_t shift = 2;       // log2 of the bytes that one node stands for
    std::size_t buffer = 0;       // for global memory: in Job::buffers
    bool read_only = false;
    bool filled = false;  // global memory, all of which was written before the launch
    lang::ArrayShape shape = {};
    // "data[3]", "tile[1][3]", "pairs[3].sum"; of a scalar its name alone.
    std::string cell_of_byte(std::uint64_t offset) const {
        return name + shape.at(offset / unit());
    }
    std::uint64_t unit() const { return std::max<std::uint64_t>(1, lang::info(element).bytes); }
    // In units of its own, of an access that counts in units of its type.
    std::uint64_t index_of(const Access& access, Scalar type) const {
        return std::uint64_t{access.index} * lang::info(type).bytes / unit();
    }
    // Names a node's cell.
    std::string cell(std::uint64_t index) const { return cell_of_byte(index << shift); }
};

// Sees each action as it happens. An instruction whose lanes touch several objects is an action
// for each of them; `continues` is true for all but the first.
class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;
    // Called before the first action; the machine lives as long as the run.
    virtual void begin(const Machine& machine) = 0;
    virtual void observe(const Action& action, std::span<const Access> accesses,
                         bool continues) = 0;
    // For several actions with no detail between them: the same as observe() of each in turn.
    virtual void observe_all(std::span<const Part> parts, std::span<const Access> accesses) {
        for (const Part& part : parts)
            observe(part.action, accesses.subspan(part.first, part.end - part.first),
                    part.continues);
    }
    // Comes before the action at its time.
    virtual void detail(const Detail&) {}
};

// Elements in blocks that never move: elements appended together stay contiguous.
template <typename T>
class Chunks {
  public:
    // Returns the place of the first; at most kChunk items at once.
    std::uint32_t append(std::span<const T> items) {
        if (used_ + items.size() > kChunk) {
            chunks_.emplace_back(std::allocator<T>().allocate(kChunk));
            used_ = 0;
        }
        T* to = chunks_.back().get() + used_;
        std::uninitialized_copy(items.begin(), items.end(), to);
        const std::size_t first = (chunks_.size() - 1) * kChunk + used_;
        used_ += items.size();
        count_ += items.size();
        return static_cast<std::uint32_t>(first);
    }
    const T* at(std::uint32_t place) const {
        return chunks_[place / kChunk].get() + place % kChunk;
    }
    std::uint64_t count() const { return count_; }

  private:
    static constexpr std::size_t kChunk = 1 << 14;
    static_assert(std::is_trivially_copyable_v<T>);
    struct Free {
        void operator()(T* chunk) const { std::allocator<T>().deallocate(chunk, kChunk); }
    };
    std::vector<std::unique_ptr<T, Free>> chunks_;
    std::size_t used_ = kChunk;
    std::uint64_t count_ = 0;
};

class Trace {
  public:
    void add(const Action& action, std::span<const Access> accesses, bool continues);
    void add(const Detail& detail);

    // Replays all of it for `observer`.
    void replay(Observer& observer) const;

    std::uint64_t size() const { return times_; }  // actions; an action's number is its time
    const Action& action(std::uint64_t time) const {
        return *actions_.at(static_cast<std::uint32_t>(time));
    }
    std::span<const Access> accesses(const Action& action) const;
    bool continues(std::uint64_t time) const;  // same instruction as before
    std::uint64_t events() const { return accesses_.count(); }
    // Returns the times at which barriers of whole launches opened: actions before them.
    std::span<const std::uint64_t> grids() const { return grids_; }
    // Returns how many barriers of whole launches opened before the action at that time.
    std::size_t grids_before(std::uint64_t time) const {
        return static_cast<std::size_t>(std::upper_bound(grids_.begin(), grids_.end(), time) -
                                        grids_.begin());
    }

  private:
    std::uint64_t times_ = 0;
    Chunks<Action> actions_;
    Chunks<Access> accesses_;
    std::vector<std::uint64_t> continuing_;  // times, ascending
    std::vector<Detail> details_;            // by time
    std::vector<std::uint64_t> grids_;       // times of those of kind grid
};

}  // namespace lab::machine
