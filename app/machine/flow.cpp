#include "machine/flow.h"

#include <algorithm>
#include <bit>

namespace lab::machine {

const char* name_of(Branch::Kind kind) {
    switch (kind) {
        case Branch::Kind::condition:
            return "condition";
        case Branch::Kind::loop:
            return "loop";
        case Branch::Kind::case_:
            return "case";
    }
    return "";
}

void Flow::branch(std::uint32_t launch, std::uint32_t place, Branch::Kind kind, std::uint64_t came,
                  std::uint64_t held) {
    if (came == 0) return;
    Branch& of = branches_[{launch, place}];
    of.kind = kind;
    of.launch = launch;
    of.place = place;
    ++of.times;
    if (held == 0 || held == came) return;
    const auto lanes = static_cast<std::uint32_t>(std::popcount(held));
    of.least = of.splits == 0 ? lanes : std::min(of.least, lanes);
    of.most = std::max(of.most, lanes);
    ++of.splits;
}

std::vector<Branch> Flow::branches() const {
    std::vector<Branch> result;
    for (const auto& [at, branch] : branches_)
        result.push_back(branch);
    return result;
}

}  // namespace lab::machine
