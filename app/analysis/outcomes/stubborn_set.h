// Which warps must act in a state for a search to still reach every end.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/outcomes/conflicts.h"
#include "machine/machine.h"

namespace lab::analysis {

// A warp that may still do what conflicts with the next action of another one.
struct Interferer {
    std::uint32_t warp = 0;      // of the launch
    bool after_barrier = false;  // only after the next barrier of its group
};

// In one state.
class Interference {
  public:
    virtual ~Interference() = default;
    // All that interfere with the next action of that ready warp.
    virtual const std::vector<Interferer>& with_next(std::uint32_t warp) const = 0;
};

// Where accesses do not depend on data.
class KnownInterference : public Interference {
  public:
    // `done`: how many of its actions each warp of the launch has done. Both must outlive it.
    KnownInterference(const Conflicts& conflicts, const std::vector<std::uint32_t>& done)
        : conflicts_(conflicts), done_(done) {}
    const std::vector<Interferer>& with_next(std::uint32_t warp) const override;

  private:
    const Conflicts& conflicts_;
    const std::vector<std::uint32_t>& done_;
    mutable std::vector<Interferer> found_;
};

// For one state. A set is stubborn if nothing outside it can ever interfere with the next action of
// a member: a ready warp brings in all warps with a later action that conflicts with its next one,
// or, if that comes after a barrier, one that has to come there first; a waiting warp brings in one
// that it waits for (Valmari 1991). A group that has not begun brings in one of each resident
// group, of which one has to end before it begins. What is enough for a group, one of its ready
// warps, is there: a group without any goes on, or is a fault, before the state is seen.
class StubbornSets {
  public:
    // All must outlive it.
    StubbornSets(const machine::Machine& machine, const machine::State& state,
                 const Interference& interference);

    // The ready members of the stubborn set with the fewest of them, of those that one of `seeds`
    // is in. `ready`: all ready warps; `seeds`: at least one.
    std::vector<machine::Choice> smallest(const std::vector<machine::Choice>& ready,
                                          const std::vector<machine::Choice>& seeds) const;

  private:
    struct Set {
        std::vector<bool> in;
        std::vector<std::uint32_t> left;  // members still to be processed
    };
    void add(Set& set, std::uint32_t number) const;
    void close(Set& set, std::uint32_t number) const;
    void add_one_of(Set& set, const machine::Group& group) const;
    std::uint32_t number_of(std::uint32_t group, std::uint32_t warp) const {
        return group * context_.warps + warp;
    }

    const machine::State& state_;
    const machine::Context& context_;
    const Interference& interference_;
};

}  // namespace lab::analysis
