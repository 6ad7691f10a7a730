// Which actions a search must try in a state to still reach every end.
//
// A stubborn set (Valmari 1991; Godefroid 1996, chapter 4), which loses no end state. What can
// still conflict is known exactly if a launch's accesses do not depend on data (conflicts.h);
// otherwise it is what the work-items may touch whatever they find (footprints.h). Where even that
// is not known: a single group whose next actions touch only what is its own, if there is one.
//
// Those of the set can delay others forever, but "never ends" stays right. Let a state be reached
// by the actions w from which no schedule ends. If w has actions of the set, the first of them can
// come first, and one less is left of w. If not, each of the set's actions can come before w, and
// after both no schedule ends either; so follow those that lead to an end, if any do: there w would
// still have to be done, so on the way some of it is. Likewise for a round from which schedules
// end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/outcomes/conflicts.h"
#include "analysis/outcomes/footprints.h"
#include "analysis/outcomes/outcomes.h"
#include "machine/machine.h"

namespace lab::analysis {

class PersistentSets {
  public:
    // Both must outlive it.
    PersistentSets(const machine::Machine& machine, const machine::StateKeys& keys,
                   Reduction reduction);

    // `done`: how many of its actions each warp of the launch has done.
    std::vector<machine::Choice> choices(const machine::State& state,
                                         const std::vector<std::uint32_t>& done) const;

    // By launch: empty if its accesses depend on data, or are too many to compare.
    const std::vector<std::optional<Conflicts>>& conflicts() const { return conflicts_; }
    // Whether no launch's accesses depend on data: then every schedule ends, since one has.
    bool all_known() const { return all_known_; }
    // Whether a launch's choices rest on what its work-items may touch.
    bool by_footprints(std::uint32_t launch) const {
        return footprints_[launch] && footprints_[launch]->has_value();
    }
    // Nothing if the launch is too large.
    const std::optional<Footprints>& footprints(std::uint32_t launch) const;
    const std::vector<bool>& written() const { return written_; }
    std::uint64_t bytes() const { return bytes_; }
    // Of choosing in that state, as OutcomesOptions counts it.
    std::uint64_t effort(const machine::State& state) const;

  private:
    bool is_independent(const machine::State& state, const machine::Choice& choice,
                        const std::vector<std::uint32_t>& done) const;
    bool stays_inside(const machine::State& state, const machine::Choice& choice) const;
    std::vector<machine::Choice> of_one_group(const machine::State& state,
                                              std::vector<machine::Choice> ready) const;

    const machine::Machine& machine_;
    const machine::StateKeys& keys_;
    Reduction reduction_;
    std::vector<bool> written_;  // by buffer
    std::vector<std::optional<Conflicts>> conflicts_;
    bool all_known_ = false;
    // By launch; worked out when it is reached.
    mutable std::vector<std::optional<std::optional<Footprints>>> footprints_;
    mutable std::uint64_t bytes_ = 0;  // of these
};

}  // namespace lab::analysis
