#include "analysis/lanes/line_costs.h"

#include <bit>

#include "analysis/lanes/lanes.h"
#include "analysis/lanes/traffic.h"

namespace lab::analysis {

std::map<std::uint32_t, LineCost> line_costs(const machine::Run& run) {
    std::map<std::uint32_t, LineCost> result;
    const machine::Trace& trace = run.trace();
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        if (trace.continues(time)) continue;
        const auto& code = *run.machine().context(action.launch).code;
        LineCost& line = result[code.places[action.place].line];
        const auto lanes = static_cast<std::uint64_t>(std::popcount(action.mask));
        line.hits += lanes;
        if (action.kind == machine::ActionKind::barrier) line.waits += lanes;
    }
    for (const LineTraffic& traffic : traffic_of(run).lines) {
        LineCost& line = result[traffic.line];
        line.requests += traffic.requests;
        line.taken += traffic.local ? traffic.turns : traffic.sectors;
        line.least += traffic.local ? traffic.least_turns : traffic.ideal_sectors;
    }
    for (const DivergentBranch& branch : branches_of(run)) {
        result[branch.line].times += branch.times;
        result[branch.line].splits += branch.splits;
    }
    return result;
}

}  // namespace lab::analysis
