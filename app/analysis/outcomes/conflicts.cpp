#include "analysis/outcomes/conflicts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "lang/code/dependence.h"

namespace lab::analysis {
namespace {

using machine::ActionKind;

struct Touch {
    std::uint32_t warp = 0, action = 0;
    std::uint32_t group = 0, pass = 0;
    bool writes = false;
};

}  // namespace

std::vector<bool> launches_known(const machine::Job& job) {
    const std::vector<bool> written = machine::written_buffers(job);
    std::vector<bool> known;
    std::map<std::pair<const lang::Code*, std::vector<bool>>, bool> asked;
    for (const machine::Launch& launch : job.launches) {
        std::vector<bool> fixed;
        for (const machine::Argument& each : launch.arguments)
            fixed.push_back(each.kind == machine::Argument::Kind::buffer && !written[each.buffer]);
        const auto [at, news] = asked.try_emplace({launch.code.get(), fixed}, false);
        if (news) at->second = !lang::accesses_depend_on_data(*launch.code, fixed);
        known.push_back(at->second);
    }
    return known;
}

Conflicts::Conflicts(const machine::Run& run, std::uint32_t launch) {
    const machine::Context& context = run.machine().context(launch);
    const machine::Trace& trace = run.trace();
    const bool one_by_one = run.machine().job().config.resident == 1;
    actions_.resize(std::size_t{context.groups} * context.warps);
    std::unordered_map<std::uint64_t, std::vector<Touch>> cells;
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        if (action.launch != launch) continue;
        const std::uint32_t warp = action.group * context.warps + action.warp;
        if (!trace.continues(time)) actions_[warp].emplace_back();
        const auto number = static_cast<std::uint32_t>(actions_[warp].size() - 1);
        const std::span<const machine::Access> accesses = trace.accesses(action);
        if (accesses.empty()) continue;
        const machine::ObjectInfo& object = context.objects[action.object];
        if (object.space == machine::Space::constant) continue;
        const bool local = object.space == machine::Space::local;
        const std::uint64_t space = local ? std::uint64_t{1} << 63U |
                                                std::uint64_t{action.group} << 44U |
                                                std::uint64_t{action.object} << 36U
                                          : std::uint64_t{object.buffer} << 40U;
        // Cells of elements: an access may be wider or narrower.
        const unsigned size = lang::info(action.type).bytes;
        const std::uint64_t wide = std::max<std::uint64_t>(1, size >> object.shift);
        for (const machine::Access& access : accesses) {
            const std::uint64_t first = std::uint64_t{access.index} * size >> object.shift;
            for (std::uint64_t k = first; k < first + wide; ++k)
                cells[space + k].push_back({warp, number, action.group,
                                            context.code->has_barrier ? action.pass : 0,
                                            action.kind != ActionKind::load});
        }
    }
    for (const auto& [cell, touches] : cells) {
        const bool written = std::any_of(touches.begin(), touches.end(),
                                         [](const Touch& each) { return each.writes; });
        if (!written) continue;
        for (const Touch& touch : touches)
            for (const Touch& other : touches) {
                if (touch.warp == other.warp || (!touch.writes && !other.writes)) continue;
                if (touch.group == other.group ? touch.pass != other.pass : one_by_one) continue;
                Action& action = actions_[touch.warp][touch.action];
                const auto known =
                    std::find_if(action.begin(), action.end(),
                                 [&](const Last& last) { return last.warp == other.warp; });
                if (known == action.end())
                    action.push_back({other.warp, other.action});
                else
                    known->action = std::max(known->action, other.action);
            }
    }
}

}  // namespace lab::analysis
