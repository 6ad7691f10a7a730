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
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/outcomes/touched_cells.h"
#include "analysis/outcomes/walk_places.h"
#include "lang/code/liveness.h"
#include "machine/context.h"

namespace lab::analysis {

struct ItemWalk {
    std::vector<Standing> places;  // the first is the start
    std::vector<Cells> cells;
};

// What all items of a launch share.
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
    // Whether its value may decide which cells are touched, or whether.
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

}  // namespace lab::analysis
