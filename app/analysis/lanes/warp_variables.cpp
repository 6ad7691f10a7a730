#include "analysis/lanes/warp_variables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lang/code/value.h"

namespace lab::analysis {
namespace {

std::string value_of(const machine::Context& context, const machine::Group& group,
                     std::uint32_t warp, const lang::VariableInfo& info, std::uint32_t lane) {
    std::vector<std::string> parts;
    for (std::uint32_t i = 0; i < info.width; ++i) {
        const bool uniform = (info.reg & lang::kUniform) != 0;
        const std::size_t reg = (info.reg & ~lang::kUniform) + i;
        const std::uint64_t bits =
            uniform
                ? context.uniforms[reg * context.lanes + lane]
                : group.registers[(std::size_t{warp} * context.registers + reg) * context.lanes +
                                  lane];
        parts.push_back(lang::text_of(bits, info.type));
    }
    return info.width == 1 ? parts[0] : fmt::format("({})", fmt::join(parts, ", "));
}

}  // namespace

std::vector<VariableRow> variables_of(const machine::Machine& machine, const machine::State& state,
                                      std::size_t slot, std::uint32_t warp) {
    std::vector<VariableRow> rows;
    if (machine.done(state) || slot >= state.groups.size()) return rows;
    const machine::Group& group = *state.groups[slot];
    if (warp >= group.warps.size() || group.warps[warp].status == machine::Status::done)
        return rows;
    const machine::Context& context = machine.context(state.launch);
    const machine::Warp& of = group.warps[warp];
    for (const lang::VariableInfo& variable : context.code->variables) {
        if (variable.pointer || variable.object >= 0) continue;
        if (of.pc < variable.first || of.pc >= variable.end) continue;
        VariableRow row;
        row.name = variable.name;
        row.type = lang::info(variable.type).name;
        if (variable.width > 1) row.type += std::to_string(variable.width);
        row.line = variable.line;
        for (std::uint32_t lane = 0; lane < context.lanes; ++lane)
            row.values.push_back((of.live >> lane & 1U) == 0
                                     ? std::string()
                                     : value_of(context, group, warp, variable, lane));
        row.same = std::all_of(row.values.begin(), row.values.end(), [&](const std::string& each) {
            return each.empty() || each == row.values.front();
        });
        rows.push_back(std::move(row));
    }
    return rows;
}

std::pair<std::size_t, std::uint32_t> warp_at(const machine::State& state, const Timeline& timeline,
                                              std::uint64_t time) {
    if (time > 0 && time <= timeline.actions.size()) {
        const TimelineAction& action = timeline.actions[time - 1];
        if (const auto slot = machine::slot_of(state, action.group); slot)
            return {*slot, action.warp};
    }
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
        for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp)
            if (state.groups[slot]->warps[warp].status != machine::Status::done)
                return {slot, warp};
    return {0, 0};
}

}  // namespace lab::analysis
