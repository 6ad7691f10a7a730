// States that go on alike have one key: what a search through all schedules remembers of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lang/code/liveness.h"
#include "machine/machine.h"

namespace lab::machine {

// 128 bits of a digest: two different states share one with a chance of about 2^-128 a pair.
struct StateKey {
    std::uint64_t low = 0, high = 0;
    bool operator==(const StateKey&) const = default;
};
struct StateKeyHash {
    std::size_t operator()(const StateKey& key) const { return key.low; }
};

// Of one machine, which must outlive it. Left out is all that no work-item can ever see again:
// registers and masks that are dead where a warp stands, counts of time and barriers, lineage.
class StateKeys {
  public:
    explicit StateKeys(const Machine& machine);
    StateKey of(const State& state) const;
    const lang::Liveness& liveness(std::uint32_t launch) const { return *liveness_[launch]; }

  private:
    const Machine& machine_;
    std::vector<bool> written_;                                    // by buffer
    std::vector<std::shared_ptr<const lang::Liveness>> liveness_;  // a launch each
};

}  // namespace lab::machine
