// What each warp of a launch may still touch, from the place at which it stands: before the next
// barrier of its group, and after it; and whether it may end, or come to that barrier. For launches
// in which that depends on data. Errs towards more: a lane that runs is found at the place that its
// registers fit, and may do all that lies behind it (footprint_walk.h); one that rests, or that
// fits no place, may do anything at once that it may do at all. A copy's call and the wait for it
// touch what is copied, once all of the group have come; so a search by footprints keeps the order
// of each with whatever touches that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/outcomes/footprint_walk.h"
#include "analysis/outcomes/stubborn_set.h"
#include "machine/machine.h"
#include "machine/state_key.h"

namespace lab::analysis {

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

    // Whether it matters if the next action of that warp comes before or after an arrival or an end
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
    struct Bits {
        const std::uint64_t *now, *later;
    };

    Footprints(const machine::Context& context, const lang::Liveness& liveness,
               const std::vector<bool>& written)
        : context_(context), liveness_(liveness), written_(written) {}
    static Item item_of(ItemWalk walk, const lang::Code& code);
    static std::vector<Fate> fates_of(const ItemWalk& walk, const lang::Code& code);
    Fate fate_of(const machine::Group& group, std::uint32_t warp) const;
    std::optional<std::uint32_t> place_of(const Item& item, const machine::Group& group,
                                          std::uint32_t warp, std::uint32_t lane) const;
    bool stands_at(const Standing& place, const machine::Group& group, std::uint32_t warp,
                   std::uint32_t lane) const;

    const machine::Context& context_;
    const lang::Liveness& liveness_;
    const std::vector<bool>& written_;
    std::vector<Item> items_;
    bool waits_ = false;  // some at barriers, and some may end by a write
    std::uint64_t bytes_ = 0;
};

// Of one state.
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

}  // namespace lab::analysis
