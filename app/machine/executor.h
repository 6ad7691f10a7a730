// Runs the instructions of one warp: the invisible ones up to its next action, and that action.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "machine/job.h"
#include "machine/memory.h"
#include "machine/state.h"
#include "machine/trace.h"

namespace lab::machine {

// Collects what actions did before it goes to observers.

struct StepResult {
    // A detail that precedes the part with number `part`; its `time` is not known yet.
    struct PartDetail {
        std::size_t part;
        Detail detail;
    };
    std::vector<Part> parts;
    std::vector<Access> accesses;
    std::vector<PartDetail> details;
    // Adds it before that part; merges lanes that do the same.
    void add(const Detail& detail, std::size_t part);
    void clear() {
        parts.clear();
        accesses.clear();
        details.clear();
    }
};

// Adds an action of those lanes of a warp to `done`, without accesses yet.
inline Action& add_part(const Context& context, const Group& group, std::uint32_t warp,
                        const lang::Instruction& instruction, ActionKind kind, std::uint64_t mask,
                        StepResult& done) {
    const Warp& acts = group.warps[warp];
    Part& part = done.parts.emplace_back();
    part.first = part.end = done.accesses.size();
    Action& action = part.action;
    action.mask = mask;
    action.group = group.id;
    action.pass = context.code->has_barrier ? group.passes : acts.pass;
    action.epoch_local = group.epoch_local;
    action.epoch_global = group.epoch_global;
    action.place = instruction.place;
    action.launch = static_cast<std::uint16_t>(context.launch);
    action.turn = static_cast<std::uint16_t>(std::min(acts.turn, kLastTurn));
    action.warp = warp & 0x3ffU;
    action.count = 0;
    action.kind = kind;
    return action;
}

// Holds what an executor needs from the machine around it.
struct ExecutionContext {
    const Context& context;
    State& state;
    std::uint64_t budget;        // for state.steps
    std::uint64_t most_alone;    // instructions from one action to the next
    Lineage* lineage = nullptr;  // null: values carry none
    std::vector<Finding>* findings = nullptr;
    Flow* flow = nullptr;                       // null: not recorded
    StepResult* done = nullptr;                 // for fences; null before the first action
    const std::atomic<bool>* cancel = nullptr;  // as Machine::set_cancel()
};

// kOneLane: warps have one lane, which is active.
template <bool kLineage, bool kOneLane>
class Executor {
  public:
    Executor(const ExecutionContext& execution, Group& group, std::uint32_t warp);

    // Runs up to the next visible action, or the end. Throws Fault.
    void advance();

    // Does the load, store or atomic that it stands before, then moves past it. Throws Fault; lanes
    // before the one at fault have then done theirs.
    void access(StepResult& done);

    void sub_collective(StepResult& done);
    void collect_lanes(const lang::Instruction& instruction, std::uint64_t lanes);

    // Part of an asynchronous copy, a number of elements that each lane of `mask` is given: as
    // `load` and `store` say, from and to pointers by lane. Throws Fault.
    void copy(const lang::Instruction& load, const lang::Instruction& store, std::uint64_t mask,
              const std::uint64_t* from, const std::uint64_t* to, const Copy& began,
              StepResult& done);
    std::uint64_t* registers(std::uint32_t reg) { return own_ + std::size_t{reg} * lanes(); }

  private:
    std::uint32_t lanes() const { return kOneLane ? 1U : lanes_; }
    const std::uint64_t* in(std::uint32_t reg) const {
        return bases_[reg >> 31U] + std::size_t{reg & ~lang::kUniform} * lanes();
    }
    std::uint64_t* out(std::uint32_t reg) { return own_ + std::size_t{reg} * lanes(); }
    const Node* nodes_in(std::uint32_t reg) const {
        return node_bases_[reg >> 31U] + std::size_t{reg & ~lang::kUniform} * lanes();
    }
    Node* nodes_out(std::uint32_t reg) { return own_nodes_ + std::size_t{reg} * lanes(); }

    [[gnu::always_inline]] inline void step(const lang::Instruction& instruction);
    [[gnu::always_inline]] inline void control(const lang::Instruction& instruction,
                                               std::uint32_t& pc);
    [[noreturn]] void used_up(const lang::Instruction& instruction) const;
    std::uint64_t next_look(std::uint64_t steps, std::uint64_t most,
                            const lang::Instruction& instruction) const;
    void others(const lang::Instruction& instruction);
    void note_left(std::uint64_t lanes_that_leave, const lang::Instruction& instruction) {
        std::uint32_t* places = group_.left.data() + std::size_t{warp_index_} * lanes();
        if constexpr (kOneLane) {
            if (lanes_that_leave != 0) *places = instruction.place;
        } else {
            for (; lanes_that_leave != 0; lanes_that_leave &= lanes_that_leave - 1)
                places[std::countr_zero(lanes_that_leave)] = instruction.place;
        }
    }
    void tell_branch(const lang::Instruction& instruction, Branch::Kind kind, std::uint64_t came,
                     std::uint64_t held);
    void tell_end(std::uint64_t lanes);
    void tell_fence(const lang::Instruction& instruction);
    void add_detail(Detail::Kind kind, std::uint64_t lanes, std::uint32_t flags, StepResult& done,
                    std::size_t part) const;
    template <typename F>
    void raw(const lang::Instruction& instruction, F f);
    template <typename T>
    void divide(const lang::Instruction& instruction, bool rest);
    void carry(const lang::Instruction& instruction);
    Node joined(Node a, Node b);

    struct Cell {
        std::byte* bytes;
        Written* written;
        std::uint64_t written_at;
        Node* node;  // null: no lineage kept there yet
    };
    Cell cell(const ObjectInfo& object, std::uint64_t offset, std::uint32_t lane, bool write,
              bool needs_node);
    [[gnu::always_inline]] inline const ObjectInfo& checked(const lang::Instruction& instruction,
                                                            std::uint64_t pointer,
                                                            std::uint32_t lane, bool write) const;
    void check(const lang::Instruction& instruction, std::uint64_t pointer,
               std::uint32_t lane) const;
    [[gnu::always_inline]] inline void access_part(const lang::Instruction& instruction,
                                                   std::uint64_t mask, bool continues,
                                                   StepResult& done);
    void load_lane(const lang::Instruction& instruction, const ObjectInfo& object,
                   std::uint32_t lane, std::uint64_t offset, StepResult* done);
    void store_lane(const lang::Instruction& instruction, const ObjectInfo& object,
                    std::uint32_t lane, std::uint64_t offset, StepResult* done);
    void atomic_lane(const lang::Instruction& instruction, const ObjectInfo& object,
                     std::uint32_t lane, std::uint64_t offset, StepResult* done);
    void private_access(const lang::Instruction& instruction);
    void load_loose(const lang::Instruction& instruction, const ObjectInfo& object,
                    std::uint32_t lane, std::uint64_t offset, StepResult* done);
    void store_loose(const lang::Instruction& instruction, const ObjectInfo& object,
                     std::uint32_t lane, std::uint64_t offset, StepResult* done);
    void print(const lang::Instruction& instruction);
    void check_index(const lang::Instruction& instruction) const;
    void find_unwritten(const lang::Instruction& instruction, const ObjectInfo& object,
                        std::uint32_t lane, std::uint64_t offset);
    bool is_news(const lang::Instruction& instruction);
    void find(const lang::Instruction& instruction, std::uint32_t lane, std::string what,
              std::string hint, Phrase phrase, Phrase hint_phrase);
    [[noreturn]] void fault(Fault::Kind kind, const lang::Instruction& instruction,
                            std::uint32_t lane, std::string what, std::string why, std::string hint,
                            ProblemPhrases phrases = {}) const;
    std::uint64_t local(std::uint32_t lane) const {  // its linear id
        return std::uint64_t{warp_index_} * lanes() + lane;
    }
    std::uint64_t item(std::uint32_t lane) const {
        return std::uint64_t{group_.id} * context_.local + local(lane);
    }
    std::string name(std::uint32_t lane) const { return context_.item_name(item(lane)); }

    const ExecutionContext& execution_;
    const Context& context_;
    Group& group_;
    Warp& warp_;
    std::uint32_t warp_index_, lanes_;
    const lang::Instruction* code_;
    std::uint64_t* own_;
    const std::uint64_t* bases_[2];
    Node* own_nodes_ = nullptr;
    const Node* node_bases_[2] = {nullptr, nullptr};
    std::uint64_t* masks_;
    std::uint64_t exec_, full_;
    std::uint32_t pc_;
    bool ended_ = false;
};

extern template class Executor<false, false>;
extern template class Executor<false, true>;
extern template class Executor<true, false>;
extern template class Executor<true, true>;

// Barriers and calls that not all work-items of a group or sub-group reach, though all of them
// must: OpenCL leaves undefined what comes of it.

// Throws Fault unless all lanes of a warp have come to where it stands.
void check_warp(const Context& context, const Group& group, std::uint32_t warp,
                std::uint64_t wanted = ~std::uint64_t{0});
// The same of those that the mask of `lane` names, which must be among them.
void check_named(const Context& context, const Group& group, std::uint32_t warp, std::uint32_t lane,
                 std::uint64_t named);

// Throws the Fault of two of them that give different masks, one of which names the other.
[[noreturn]] void refuse_masks(const Context& context, const Group& group, std::uint32_t warp,
                               std::uint32_t lane, std::uint32_t other);

// Throws Fault unless lane `from`, whose value `lane` takes there, is one of those that came
// `together`.
void check_source(const Context& context, const Group& group, std::uint32_t warp,
                  std::uint32_t lane, std::uint64_t from, std::uint64_t together);

// Throws Fault unless all warps of a group without running warps wait at the same place.
void check_group(const Context& context, const Group& group);

// Throws Fault unless all groups of the launch wait at the same place; all that are left wait.
void check_groups(const Context& context, const State& state);

// Returns what a group waits for, of which some warp does.
const lang::Instruction& waited_at(const Context& context, const Group& group);

// Accesses that are not allowed: through null, out of bounds, misaligned, writes to constants.

// The alignment that an access needs, in bytes: a power of two.
inline std::uint64_t alignment_of(const lang::Instruction& instruction) {
    const bool vector = (instruction.flags & lang::kAligned) != 0;
    if ((instruction.flags & lang::kLoose) != 0) return 1;
    return std::uint64_t{lang::info(instruction.type).bytes} * (!vector ? 1U
                                                                : instruction.count == 3
                                                                    ? 4U
                                                                    : instruction.count);
}

inline bool may_reach(const lang::Instruction& instruction, Space space) {
    if (instruction.op == lang::Op::load_private || instruction.op == lang::Op::store_private)
        return space == Space::private_;
    if (instruction.op == lang::Op::atomic) return space != Space::private_;
    const auto wanted = static_cast<Space>(instruction.extra);
    if (wanted == Space::generic) return space == Space::local || space == Space::global;
    return space == wanted || (wanted == Space::constant && space == Space::global);
}

// Throws the Fault of an access that is not allowed, saying what is wrong with its pointer.
[[noreturn]] void refuse_access(const Context& context, const lang::Instruction& instruction,
                                std::uint64_t pointer, std::uint64_t item);

// The same for a check_index.
[[noreturn]] void refuse_index(const Context& context, const lang::Instruction& instruction,
                               std::int64_t index, std::uint64_t item);

}  // namespace lab::machine
