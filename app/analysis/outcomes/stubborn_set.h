// Which warps must act in a state for a search to still reach every end.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/outcomes/conflicts.h"
#include "machine/machine.h"

namespace lab::analysis {

// For one state. A set is stubborn if nothing outside it can ever interfere with the next action of
// a member: a ready warp brings in all warps with a later action that conflicts with its next one,
// a waiting warp brings in one that it waits for (Valmari 1991).
class StubbornSets {
  public:
    // `done`: how many of its actions each warp of the launch has done. All must outlive it.
    StubbornSets(const machine::Machine& machine, const machine::State& state,
                 const Conflicts& conflicts, const std::vector<std::uint32_t>& done);

    // The ready members of the stubborn set with the fewest of them. `ready`: all ready warps, at
    // least one.
    std::vector<machine::Choice> smallest(const std::vector<machine::Choice>& ready) const;

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
    const Conflicts& conflicts_;
    const std::vector<std::uint32_t>& done_;
};

}  // namespace lab::analysis
