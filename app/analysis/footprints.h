// Footprints tell what each warp of a launch may still touch, from the place at which it stands:
// before the next barrier of its group, and after it; and whether it may end, or come to that
// barrier. For launches in which that depends on data. Errs towards more: a lane that runs is found
// at the place that its registers fit, and may do all that lies behind it (footprints.cpp); one
// that rests, or that fits no place, may do anything at once that it may do at all. A copy's call
// and the wait for it touch what is copied, once all of the group have come; so a search by
// footprints keeps the order of each with whatever touches that.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/conflicts.h"
#include "lang/code.h"
#include "lang/dataflow.h"
#include "machine/machine.h"
#include "machine/state.h"
namespace lab::analysis {

// The places of a walk through one work-item's instructions: those that are alike are one.

// A register that holds the same wherever it stands there, or points into the same object.
struct KnownRegister {
    std::uint32_t reg = 0;
    bool object_only = false;
    std::uint64_t bits = 0;

    bool operator==(const KnownRegister&) const = default;
};

struct AbstractState {
    std::uint32_t pc = 0;
    bool runs = true;                  // its bit of the execution mask
    std::vector<std::uint32_t> masks;  // slots with its bit that are still needed
    std::vector<KnownRegister> known;  // by register; those of no use for addresses are left out
    std::vector<std::uint32_t> cells;  // of ItemWalk::cells: what it may touch next
    std::vector<std::uint32_t> after;  // where it may stand after that
    bool ends = false;                 // it may come to its end before it stands anywhere else
    bool chose = false, chose_now = false;  // some condition was unknown; since the loop began
};

class WalkPlaces {
  public:
    explicit WalkPlaces(std::size_t instructions) : by_pc_(instructions) {}

    // The number of that place, new or known.
    std::uint32_t stand(AbstractState at);
    // One to go on from: it is new, or has taken in more than when it was gone on from last.
    std::optional<std::uint32_t> next();

    AbstractState& operator[](std::uint32_t number) { return places_[number]; }
    const AbstractState& operator[](std::uint32_t number) const { return places_[number]; }
    std::size_t size() const { return places_.size(); }
    std::vector<AbstractState> take() { return std::move(places_); }

  private:
    // States of a work-item at one instruction, once something was unknown; more are joined to one.
    static constexpr std::size_t kMostAlike = 48;

    std::uint32_t add(AbstractState at);
    void queue(std::uint32_t number);
    void note_choices(std::uint32_t number, const AbstractState& at);

    std::vector<AbstractState> places_;
    std::vector<std::vector<std::uint32_t>> by_pc_;
    std::vector<std::uint32_t> left_;  // to go on from
    std::vector<bool> queued_;         // by place: it is one of these
};

// Where one work-item may come to stand, whatever its loads find, and what it may touch there.
//
// An abstract interpretation of its instructions (Cousot and Cousot 1977): a value is known, lies
// somewhere in a known object, or is any. What is loaded is any, and a condition on any value goes
// both ways. So what it finds holds under every schedule: each step of the item takes it from a
// place that covers where it stands to one that covers where it comes to, whatever its loads
// return, since an instruction that is interpreted exactly (result_of) is the machine's own, and
// all others make any value of their outputs. It is walked as if it were alone: lanes of a warp
// share the place in the text, but the bits of masks and the registers of one lane are changed only
// by what it runs itself, and by conditions that others come to while it rests, whose bits it does
// not need.

struct ItemWalk {
    std::vector<AbstractState> places;  // the first is the start
    std::vector<Cells> cells;
};

// Holds what all items of a launch share.
class ItemWalker {
  public:
    ItemWalker(const machine::Context& context, const lang::Liveness& liveness,
               const std::vector<bool>& written);

    // Takes the instructions that it interprets off `steps`; nothing if they are used up.
    std::optional<ItemWalk> walk(std::uint32_t group, std::uint32_t local,
                                 std::uint64_t& steps) const;

    const machine::Context& context() const { return context_; }
    const lang::Liveness& liveness() const { return liveness_; }
    const std::vector<bool>& written() const { return written_; }
    // True if its value may decide which cells are touched, or whether any are.
    bool matters(std::uint32_t reg) const { return matters_[reg]; }
    bool is_place(std::uint32_t pc) const { return place_[pc]; }
    // Registers that the innermost loop, which begins there, changes; null: none begins there.
    const std::vector<std::uint32_t>* changed_from(std::uint32_t pc) const {
        return changed_[pc].empty() ? nullptr : &changed_[pc];
    }

  private:
    void find_what_matters();
    void find_places();

    const machine::Context& context_;
    const lang::Liveness& liveness_;
    const std::vector<bool>& written_;
    std::vector<bool> matters_;                        // by register
    std::vector<bool> place_;                          // by instruction
    std::vector<std::vector<std::uint32_t>> changed_;  // by instruction
};

class Footprints {
  public:
    // For one launch. Empty if it is too large. All must outlive it.
    static std::optional<Footprints> of(const machine::Machine& machine, std::uint32_t launch,
                                        const machine::StateKeys& keys,
                                        const std::vector<bool>& written);

    enum class When : std::uint8_t { never, after_barrier, now };
    // When a warp that stands where it does in that group may touch any of the cells so that the
    // order matters. No group: it has not begun.
    When may_touch(std::span<const Cells> cells, std::uint32_t owner, std::uint32_t group,
                   const machine::Group* standing, std::uint32_t warp) const;

    // True if it matters if the next action of that warp comes before or after an arrival or an end
    // in its group: it is one itself, and somebody may end by a write that a fault would undo,
    // since others wait, or for a copy. Who ends by a read can be left out of a schedule where a
    // fault refuses it, like an arrival: nobody sees either. `others`: who may arrive or end before
    // the next barrier; null: not asked for.
    bool ends_matter(const machine::Group& group, std::uint32_t warp,
                     std::vector<std::uint32_t>* others = nullptr) const;

    const ItemWalk& walk_of(std::uint64_t item) const { return items_[item].walk; }
    const std::vector<bool>& written() const { return written_; }
    std::uint64_t bytes() const { return bytes_; }

  private:
    // Holds what may come before the next barrier.
    struct Fate {
        bool ends = false, comes = false;  // to its end, to the barrier
        bool ends_writing = false;         // to its end, by an action that writes
        bool ends_next = false;            // to its end, by its next action

        bool operator==(const Fate&) const = default;
    };
    struct Item {
        ItemWalk walk;
        std::vector<Fate> fates;                  // by place
        std::vector<std::uint32_t> first, by_pc;  // places, and where those of a pc begin
        std::size_t words = 1;
        std::vector<std::uint64_t> now, later;  // [place][word]: bits of walk.cells
    };

    Footprints(const machine::Context& context, const lang::Liveness& liveness,
               const std::vector<bool>& written)
        : context_(context), liveness_(liveness), written_(written) {}
    static Item item_of(ItemWalk walk, const lang::Code& code);
    static std::vector<Fate> fates_of(const ItemWalk& walk, const lang::Code& code);
    Fate fate_of(const machine::Group& group, std::uint32_t warp) const;
    std::optional<std::uint32_t> place_of(const Item& item, const machine::Group& group,
                                          std::uint32_t warp, std::uint32_t lane) const;
    bool stands_at(const AbstractState& place, const machine::Group& group, std::uint32_t warp,
                   std::uint32_t lane) const;

    const machine::Context& context_;
    const lang::Liveness& liveness_;
    const std::vector<bool>& written_;
    std::vector<Item> items_;
    bool waits_ = false;  // some at barriers, and some may end by a write
    std::uint64_t bytes_ = 0;
};

// Knows the footprints of one state.
class FootprintInterference : public Interference {
  public:
    // All must outlive it.
    FootprintInterference(const Footprints& footprints, const machine::Context& context,
                          const machine::State& state)
        : footprints_(footprints),
          context_(context),
          state_(state),
          found_(std::size_t{context.groups} * context.warps) {}
    const std::vector<Interferer>& with_next(std::uint32_t warp) const override;

  private:
    const Footprints& footprints_;
    const machine::Context& context_;
    const machine::State& state_;
    void add_touching(std::uint32_t warp, std::vector<Interferer>& found) const;
    mutable std::vector<std::optional<std::vector<Interferer>>> found_;  // by warp
};

// Follows control flow for one lane where no condition decides: `way` has its pc, whether it runs,
// and its bits of the masks. Returns false for any other instruction.
template <typename Way>
bool follow_masks(Way& way, const lang::Instruction& instruction) {
    switch (instruction.op) {
        case lang::Op::jump:
            way.pc = instruction.target;
            return true;
        case lang::Op::else_:
            way.runs = way.masks[instruction.to + 1];
            break;
        case lang::Op::join:
            way.runs = way.masks[instruction.to] && !way.masks[instruction.a] &&
                       !way.masks[instruction.b] && !way.masks[instruction.c];
            break;
        case lang::Op::enter:
            way.masks[instruction.to] = way.runs;
            way.masks[instruction.a] = false;
            ++way.pc;
            return true;
        case lang::Op::again:
            way.runs = way.runs || way.masks[instruction.to];
            way.masks[instruction.to] = false;
            break;
        case lang::Op::leave:
            way.masks[instruction.to] = way.masks[instruction.to] || way.runs;
            way.runs = false;
            break;
        default:
            return false;
    }
    way.pc = way.runs ? way.pc + 1 : instruction.target;
    return true;
}

// Computes what an instruction makes of values that are known, and when a comparison of a number
// that moves by one comes out otherwise.

// An instruction's arithmetic, where it is one of integers.
enum class Form : std::uint8_t { add, sub, mul, min, max, negate, shl, shr, eq, ne, lt, le };
struct Arithmetic {
    Form form = Form::add;
    lang::Number number = lang::Number::i32;
};
std::optional<Arithmetic> arithmetic_of(lang::Op op);
inline bool is_comparison(Form form) {
    return form >= Form::eq;
}

// The register that it writes, from those that it reads. Nothing: it is none of those that depend
// on them alone, or cannot be told here.
std::optional<std::uint64_t> result_of(const lang::Instruction& instruction, std::uint64_t a,
                                       std::uint64_t b, std::uint64_t c);
std::uint64_t canonical(lang::Number number, std::uint64_t bits);
bool is_wide(lang::Number number);  // 64 bits

inline constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

// In how many iterations, from this one on, a value that moves by `step`, 1 or -1, compares with
// the bound as it does now.
std::uint64_t iterations_alike(const Arithmetic& comparison, std::uint64_t value, std::int64_t step,
                               std::uint64_t bound, bool bound_first);
// … and until it overflows.
std::uint64_t iterations_without_overflow(lang::Number number, std::uint64_t value,
                                          std::int64_t step);

}  // namespace lab::analysis
