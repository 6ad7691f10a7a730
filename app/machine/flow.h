// Where conditions split warps and when items ended: what a trace of visible actions cannot tell.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lab::machine {

// A condition of the text, over all warps that came to it.
struct Branch {
    enum class Kind : std::uint8_t { condition, loop, case_ } kind = Kind::condition;
    std::uint32_t launch = 0;
    std::uint32_t place = 0;   // in the code of its launch
    std::uint64_t times = 0;   // that a warp came to it
    std::uint64_t splits = 0;  // of those: it held for some of the lanes that came, but not for all
    std::uint32_t least = 0, most = 0;  // lanes for which it held, of those splits
};
const char* name_of(Branch::Kind kind);

// Lanes whose items came to the end of the kernel.
struct LaneEnd {
    std::uint64_t time = 0;  // actions so far: the next has this number
    std::uint64_t lanes = 0;
    std::uint32_t launch = 0, group = 0, warp = 0;
    std::uint32_t pass = 0;  // as in Action
};

class Flow {
  public:
    // `came`: the lanes that evaluate the condition, `held`: those of them for which it held.
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
