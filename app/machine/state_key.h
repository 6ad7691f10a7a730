// Keys of states: states with the same future share one. Searches of all schedules remember keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lang/code/liveness.h"
#include "machine/machine.h"

namespace lab::machine {

// A 128-bit digest: two different states collide with a probability of about 2^-128.
struct StateKey {
    std::uint64_t low = 0, high = 0;
    bool operator==(const StateKey&) const = default;
};
struct StateKeyHash {
    std::size_t operator()(const StateKey& key) const { return key.low; }
};

// For one machine, which must outlive it. A key omits what neither a work-item nor a result can
// ever show again: registers and masks that are dead where a warp stands (liveness.h errs towards
// keeping), buffers that nobody writes, counts of time and barriers, lineage, and who printed
// first. It has which bytes were written, since results and findings tell these from others with
// the same value. The number of events given out is omitted: an event is only ever compared with
// others of its group, and a new one is new under any number.
class StateKeys {
  public:
    explicit StateKeys(const Machine& machine);
    StateKey of(const State& state) const;
    const lang::Liveness& liveness(std::uint32_t launch) const { return *liveness_[launch]; }

  private:
    const Machine& machine_;
    std::vector<bool> written_;                                    // by buffer
    std::vector<std::shared_ptr<const lang::Liveness>> liveness_;  // one per launch
};

}  // namespace lab::machine
