// Numbers passes for users: from 1 in each launch, counting only passes in which something
// happened. Without barriers a pass is an iteration of a loop; one that stores nothing, such as
// that of a loop that loads, belongs to the next that does, or at the end to the last.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

class PassNumbers {
  public:
    explicit PassNumbers(const machine::Run& run)
        : PassNumbers(run.machine(), run.trace(), 0, run.trace().size()) {}
    // Actions [first, end) only.
    PassNumbers(const machine::Machine& machine, const machine::Trace& trace, std::uint64_t first,
                std::uint64_t end) {
        std::map<std::uint32_t, Launch> launches;
        for (std::uint64_t time = first; time < end; ++time) {
            const machine::Action& action = trace.action(time);
            if (action.kind == machine::ActionKind::barrier) continue;
            Launch& launch = launches[action.launch];
            launch.has_barrier = machine.context(action.launch).code->has_barrier;
            bool& stores = launch.passes[action.pass];
            stores = stores || action.kind == machine::ActionKind::store ||
                     action.kind == machine::ActionKind::atomic;
        }
        for (const auto& [number, launch] : launches)
            add(number, launch);
    }

    // Of Action::pass; 0: in that pass all only waited.
    std::uint32_t of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = passes_.find({launch, pass});
        return found == passes_.end() ? 0 : found->second.number;
    }
    // The last Action::pass of those that have its number; its own if all only waited.
    std::uint32_t last_of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = passes_.find({launch, pass});
        return found == passes_.end() ? pass : found->second.last;
    }

  private:
    struct Launch {
        bool has_barrier = false;
        std::map<std::uint32_t, bool> passes;  // whether anybody stores in it
    };
    struct Numbered {
        std::uint32_t number, last;
    };

    void add(std::uint32_t launch, const Launch& found) {
        std::vector<std::uint32_t> together;
        std::uint32_t number = 0;
        const auto close = [&] {
            for (const std::uint32_t pass : together)
                passes_[{launch, pass}] = {number, together.back()};
        };
        const std::uint32_t last_store = [&] {
            std::uint32_t last = 0;
            for (const auto& [pass, stores] : found.passes)
                if (stores) last = pass;
            return last;
        }();
        for (const auto& [pass, stores] : found.passes) {
            together.push_back(pass);
            const bool ends = found.has_barrier || (stores && pass != last_store);
            if (!ends) continue;
            ++number;
            close();
            together.clear();
        }
        ++number;
        close();
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, Numbered> passes_;
};

}  // namespace lab::analysis
