// Numbers passes for users: from 1 in each launch, counting only passes in which something
// happened.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "machine/trace.h"

namespace lab::analysis {

class PassNumbers {
  public:
    explicit PassNumbers(const machine::Trace& trace) {
        for (std::uint64_t time = 0; time < trace.size(); ++time) {
            const machine::Action& action = trace.action(time);
            if (action.kind != machine::ActionKind::barrier)
                passes_[action.launch].insert(action.pass);
        }
        for (const auto& [launch, passes] : passes_) {
            std::uint32_t number = 0;
            for (const std::uint32_t pass : passes)
                numbers_[{launch, pass}] = ++number;
        }
    }

    // Of Action::pass; 0: in that pass all only waited.
    std::uint32_t of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = numbers_.find({launch, pass});
        return found == numbers_.end() ? 0 : found->second;
    }

  private:
    std::map<std::uint32_t, std::set<std::uint32_t>> passes_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
};

}  // namespace lab::analysis
