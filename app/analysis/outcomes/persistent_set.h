// Which actions a search has to try in a state, so that it still comes to every end.
//
// Where what the kernel touches does not depend on data, only those warps are let act whose next
// actions others can still get in the way of: a stubborn set (Valmari 1991; Godefroid 1996, chapter
// 4), which loses no end state; elsewhere, a group that does what concerns it alone.
//
// A group that goes alone can put others off forever only by never leaving what concerns it alone.
// Then nobody else can make it end, so that "never ends" is right without them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/outcomes/conflicts.h"
#include "analysis/outcomes/outcomes.h"
#include "machine/machine.h"

namespace lab::analysis {

class PersistentSets {
  public:
    // For one machine, which must outlive it.
    PersistentSets(const machine::Machine& machine, Reduction reduction);

    // `done`: how many of its actions each warp of the launch has done.
    std::vector<machine::Choice> choices(const machine::State& state,
                                         const std::vector<std::uint32_t>& done) const;

    // By launch: nothing where its accesses depend on data, or there are too many to compare.
    const std::vector<std::optional<Conflicts>>& conflicts() const { return conflicts_; }
    // Whether what each launch touches does not depend on data: every schedule ends then, as one
    // has.
    bool all_known() const { return all_known_; }

  private:
    bool is_independent(const machine::State& state, const machine::Choice& choice,
                        const std::vector<std::uint32_t>& done) const;
    bool stays_inside(const machine::State& state, const machine::Choice& choice) const;
    std::vector<machine::Choice> of_one_group(const machine::State& state,
                                              std::vector<machine::Choice> ready) const;

    const machine::Machine& machine_;
    Reduction reduction_;
    std::vector<bool> written_;  // by buffer
    std::vector<std::optional<Conflicts>> conflicts_;
    bool all_known_ = false;
};

}  // namespace lab::analysis
