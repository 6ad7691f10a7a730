// Where conditions split warps and when work-items ended, which a trace of visible actions lacks.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lab::machine {

// A condition in the kernel, counted over all warps that reached it.
struct Branch {
    enum class Kind : std::uint8_t { condition, loop, case_ } kind = Kind::condition;
    std::uint32_t launch = 0;
    std::uint32_t place = 0;   // in the code of its launch
    std::uint64_t times = 0;   // how often a warp reached it
    std::uint64_t splits = 0;  // of those: it held for some of the active lanes, but not for all
    std::uint32_t least = 0, most = 0;  // lanes for which it held, over the splits
};
const char* name_of(Branch::Kind kind);

// Lanes whose work-items reached the end of the kernel.
struct LaneEnd {
    std::uint64_t time = 0;  // actions so far: the next has this number
    std::uint64_t lanes = 0;
    std::uint32_t launch = 0, group = 0, warp = 0;
    std::uint32_t pass = 0;  // as in Action
};

class Flow {
  public:
    // `came`: the lanes that evaluate the condition; `held`: those for which it held.
    void branch(std::uint32_t launch, std::uint32_t place, Branch::Kind kind, std::uint64_t came,
                std::uint64_t held);
    void ended(const LaneEnd& ending) { endings_.push_back(ending); }

    std::vector<Branch> branches() const;  // by launch and place
    const std::vector<LaneEnd>& endings() const { return endings_; }

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, Branch> branches_;
    std::vector<LaneEnd> endings_;
};

}  // namespace lab::machine
