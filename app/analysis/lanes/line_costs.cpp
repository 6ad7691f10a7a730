#include "analysis/lanes/line_costs.h"

#include <bit>

#include "analysis/lanes/lanes.h"
#include "analysis/lanes/traffic.h"

namespace lab::analysis {

std::map<std::uint32_t, LineCost> line_costs(const machine::Run& run) {
    std::map<std::uint32_t, LineCost> made;
    const machine::Trace& trace = run.trace();
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        if (trace.continues(time)) continue;
        const auto& code = *run.machine().context(action.launch).code;
        LineCost& line = made[code.places[action.place].line];
        const auto lanes = static_cast<std::uint64_t>(std::popcount(action.mask));
        line.hits += lanes;
        if (action.kind == machine::ActionKind::barrier) line.waits += lanes;
    }
    for (const LineTraffic& of : traffic_of(run).lines) {
        LineCost& line = made[of.line];
        line.requests += of.requests;
        line.taken += of.local ? of.turns : of.sectors;
        line.least += of.local ? of.least_turns : of.ideal_sectors;
    }
    for (const DivergentBranch& branch : branches_of(run)) {
        made[branch.line].times += branch.times;
        made[branch.line].splits += branch.splits;
    }
    return made;
}

}  // namespace lab::analysis
