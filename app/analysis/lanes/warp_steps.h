// The instructions of a run's warps, one after another, and which of their lanes have ended.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

// One instruction: an action, or several where it touched several objects.
struct WarpStep {
    const machine::Action& first;
    std::uint64_t time = 0;  // of the first action
    std::uint64_t mask = 0;  // lanes that take part in any of them
};

// Calls begin(launch) and end(launch) around each(WarpStep) for the steps of each launch.
template <typename Begin, typename Each, typename End>
void for_warp_steps(const machine::Run& run, Begin&& begin, Each&& each, End&& end) {
    const machine::Trace& trace = run.trace();
    std::uint64_t time = 0;
    while (time < trace.size()) {
        const std::uint32_t launch = trace.action(time).launch;
        begin(launch);
        while (time < trace.size() && trace.action(time).launch == launch) {
            WarpStep step{trace.action(time), time, trace.action(time).mask};
            for (++time; time < trace.size() && trace.continues(time); ++time)
                step.mask |= trace.action(time).mask;
            each(step);
        }
        end(launch);
    }
}

// For a run that was recorded with Recording::flow; else nobody has ended.
class WarpEndings {
  public:
    explicit WarpEndings(const machine::Run& run) {
        for (const machine::LaneEnd& ending : run.flow().endings())
            endings_[{ending.launch, ending.group, ending.warp}].push_back(ending);
    }

    // The lanes of a warp whose items have ended, of those endings for which before() holds.
    template <typename Before>
    std::uint64_t lanes(std::uint32_t launch, std::uint32_t group, std::uint32_t warp,
                        Before&& before) const {
        const auto found = endings_.find({launch, group, warp});
        std::uint64_t lanes = 0;
        if (found != endings_.end())
            for (const machine::LaneEnd& each : found->second)
                if (before(each)) lanes |= each.lanes;
        return lanes;
    }

  private:
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<machine::LaneEnd>>
        endings_;
};

}  // namespace lab::analysis
