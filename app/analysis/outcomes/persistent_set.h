// Which actions a search must try in a state to still reach every end.
//
// If a launch's accesses do not depend on data: a stubborn set (Valmari 1991; Godefroid 1996,
// chapter 4), which loses no end state. Otherwise: a single group whose next actions touch only
// what is its own, if there is one.
//
// Such a group can delay others forever only by never leaving its own data. Then no other group can
// make it end, so "never ends" is right without trying them.
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

    // By launch: empty if its accesses depend on data, or are too many to compare.
    const std::vector<std::optional<Conflicts>>& conflicts() const { return conflicts_; }
    // Whether no launch's accesses depend on data: then every schedule ends, since one has.
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
