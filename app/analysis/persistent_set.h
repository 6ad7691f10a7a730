// Finds the actions that a search must try in a state to still reach every end.
//
// A set of ready warps is persistent if nothing that the others can do before one of its members
// acts is dependent on a member's next action (Godefroid 1996, chapter 4; here by stubborn sets,
// Valmari 1991). What can still conflict is known exactly if a launch's accesses do not depend
// on data (conflicts.h); otherwise it is what the work-items may touch whatever they find
// (footprints.h). Where even that is not known: a group whose next actions all touch only what
// is its own. Two actions are dependent if they touch one cell and one of them writes it, or if
// their order decides which of them a fault ends:
// - In one group, an arrival and the end of a warp, or two ends: whichever is last is refused if
//   some wait for those who have ended, or if a copy was not waited for, and what it wrote by
//   its last action is seen by nobody any more. footprints.h has these as interferers. Where
//   accesses are known, so is the way of each warp, and a run in order had no such fault.
//   of_one_group() tries all of the group. Two arrivals are not dependent, nor an arrival and an
//   end by a read: who is refused can be left out of a schedule, since nobody sees what it did.
// - A barrier of the grid opens, or is a fault, once nobody runs any more: until then arrivals and
//   ends of different groups are independent, and who comes last says nothing.
// - Two ends of groups, if a group that begins in their place faults: such a launch is not
//   reduced.
//
// A search that tries such a set must obey one rule (outcomes.cpp does): one of those tried
// leads on, to a state that is not on the way; it neither faults nor closes a round. While none
// does, and some ready warps were not tried, it tries another persistent set, with one of these.
//
// Claim: from each state that the search visits it reaches every end (results and faults) that
// can be reached at all. Let w be actions that lead to one, and S those tried, a union of
// persistent sets.
// - If a member of S acts in w, the first one to do so depends on nothing before it, so it can
//   come first, and one less is left of w. If its action is the fault that ends w, it faults at
//   once.
// - If none does, each t of S that does not fault is independent of w: after it, w still leads
//   to that end, perhaps without those who are now refused. Where all ready warps are tried, the
//   first case holds. The search comes to such a state by actions like this t: take states that
//   it reaches from here and that reach each other and nothing else (a terminal component of its
//   graph), and of these the one that it was through with first. All that this one leads to was
//   on the way, so none led on, so all were tried.
//
// By induction over the length of w, the end is reached.
//
// "Never ends" stays right, too. A state from which the search reaches no end has none, by the
// claim. And if w leads to a state x without an end, follow w as above: t is no fault after w,
// since x has no end, and what it leads to has none either. So the search comes to a state
// without an end.
//
// If every state has an end, and some schedule goes round forever all the same, so does one of
// the search: in each state a member of S that acts in the endless schedule can come first, or
// some t of S, after which that schedule is still endless. As there are finitely many states,
// one comes back.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/conflicts.h"
#include "analysis/footprints.h"
#include "analysis/outcomes.h"
#include "machine/machine.h"
namespace lab::analysis {

class PersistentSets {
  public:
    // Both must outlive it.
    PersistentSets(machine::Machine& machine, const machine::StateKeys& keys, Reduction reduction);

    // Those to try in that state, if `tried` were tried and none of them led on; none of these is
    // among them. Empty only if nobody else is ready. `done`: how many of its actions each warp of
    // the launch has done.
    std::vector<machine::WarpRef> choices(const machine::State& state,
                                          const std::vector<std::uint32_t>& done,
                                          const std::vector<machine::WarpRef>& tried = {}) const;

    // Each of these is a persistent set by itself and comes through, so a search need not keep the
    // state before it: it would try nothing else there, and lead on. They look from slot `from` on.
    // A warp that comes to where its group waits.
    std::optional<machine::WarpRef> arriving(const machine::State& state, std::size_t from) const;
    // A warp whose next access conflicts with none still to come, where accesses are known. Nothing
    // behind it can fault before the warp's next action, so it comes through: bounds and ways are
    // those of a run without a fault, and so is the beginning of a group in its group's place.
    std::optional<machine::WarpRef> independent(const machine::State& state,
                                                const std::vector<std::uint32_t>& done,
                                                std::size_t from) const;

    // By launch: empty if its accesses depend on data, or are too many to compare.
    const std::vector<std::optional<Conflicts>>& conflicts() const { return conflicts_; }
    // True if no launch's accesses depend on data: then every schedule ends, since one has.
    bool all_known() const { return all_known_; }
    // True if a launch's choices rest on what its work-items may touch.
    bool by_footprints(std::uint32_t launch) const {
        return footprints_[launch] && footprints_[launch]->has_value();
    }
    // Nothing if the launch is too large.
    const std::optional<Footprints>& footprints(std::uint32_t launch) const;
    const std::vector<bool>& written() const { return written_; }
    std::uint64_t bytes() const { return bytes_; }
    // The effort of having chosen in that state, as OutcomesOptions counts it.
    std::uint64_t effort(const machine::State& state) const;

  private:
    // Holds what is known of a launch's code, by instruction.
    struct Ways {
        bool begins = false;              // all groups come to their first actions
        bool copies = false;              // asynchronously
        std::vector<bool> ends_first;     // from there a warp may end without waiting before
        std::vector<bool> faults_behind;  // who waits there may fault before its next action
    };
    template <typename Is>
    std::optional<machine::WarpRef> first_ready(const machine::State& state, std::size_t from,
                                                Is is) const;
    const Ways& ways(std::uint32_t launch) const;
    bool begins_well(std::uint32_t launch) const;
    bool comes_at_once(const machine::State& state, const machine::WarpRef& choice) const;
    bool stays_inside(const machine::State& state, const machine::WarpRef& choice) const;
    std::vector<machine::WarpRef> of_one_group(const machine::State& state,
                                               std::vector<machine::WarpRef> ready) const;
    bool ends_alone(const machine::State& state, std::size_t slot) const;

    machine::Machine& machine_;
    const machine::StateKeys& keys_;
    Reduction reduction_;
    std::vector<bool> written_;  // by buffer
    std::vector<std::optional<Conflicts>> conflicts_;
    bool all_known_ = false;
    // By launch; worked out when it is reached.
    mutable std::vector<std::optional<std::optional<Footprints>>> footprints_;
    mutable std::vector<std::optional<Ways>> ways_;
    mutable std::unordered_map<std::uint64_t, bool> ends_alone_;  // by launch and group
    mutable std::uint64_t bytes_ = 0;                             // of these
    mutable std::uint64_t looked_ = 0;                            // warps, since effort() was asked
};

}  // namespace lab::analysis
