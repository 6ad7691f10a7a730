// What all items of a launch share in a walk: which registers matter, and where they may stand.
#include <algorithm>

#include "analysis/outcomes/footprint_walk.h"
#include "lang/code/operands.h"

namespace lab::analysis {

ItemWalker::ItemWalker(const machine::Context& context, const lang::Liveness& liveness,
                       const std::vector<bool>& written)
    : context_(context), liveness_(liveness), written_(written) {
    find_what_matters();
    find_places();
}

void ItemWalker::find_what_matters() {
    const lang::Code& code = *context_.code;
    matters_.assign(context_.registers, false);
    for (const lang::Instruction& each : code.instructions) {
        if (each.op == lang::Op::group_copy)
            lang::for_inputs(each, [&](std::uint32_t reg) { matters_[reg] = true; });
        if (each.op == lang::Op::if_ || each.op == lang::Op::test || each.op == lang::Op::case_ ||
            each.op == lang::Op::load || each.op == lang::Op::store || each.op == lang::Op::atomic)
            if ((each.a & lang::kUniform) == 0) matters_[each.a] = true;
    }
    for (bool more = true; more;) {
        more = false;
        for (const lang::Instruction& each : code.instructions) {
            if (lang::is_visible(each.op) || each.op >= lang::Op::jump) continue;
            bool writes = false;
            lang::for_outputs(each, [&](std::uint32_t reg) { writes = writes || matters_[reg]; });
            if (!writes) continue;
            lang::for_inputs(each, [&](std::uint32_t reg) {
                more = more || !matters_[reg];
                matters_[reg] = true;
            });
        }
    }
}

void ItemWalker::find_places() {
    const std::vector<lang::Instruction>& code = context_.code->instructions;
    place_.assign(code.size(), false);
    changed_.resize(code.size());
    for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
        if (lang::is_visible(code[pc].op) || code[pc].op == lang::Op::join) place_[pc] = true;
        if (code[pc].op != lang::Op::jump || code[pc].target > pc) continue;
        const std::uint32_t head = code[pc].target;
        const bool innermost = std::none_of(
            code.begin() + head, code.begin() + pc, [&](const lang::Instruction& each) {
                const auto at = static_cast<std::uint32_t>(&each - code.data());
                return each.op == lang::Op::jump && each.target <= at && each.target >= head;
            });
        place_[head] = true;
        if (!innermost) continue;
        for (std::uint32_t at = head; at < pc; ++at)
            lang::for_outputs(code[at], [&](std::uint32_t reg) { changed_[head].push_back(reg); });
        std::sort(changed_[head].begin(), changed_[head].end());
    }
}

}  // namespace lab::analysis
