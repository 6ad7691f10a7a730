#include "analysis/races/text_order.h"

namespace lab::analysis {
namespace {

using lang::Op;
using machine::ActionKind;

std::size_t column_of(ActionKind kind) {
    return kind == ActionKind::load ? 0 : kind == ActionKind::store ? 1 : 2;
}

}  // namespace

TextOrder::TextOrder(const lang::Code& code) : spots_(code.places.size()) {
    std::vector<std::array<bool, 3>> known(spots_.size());
    std::uint32_t loops = 0, loop = 0;
    for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
        const lang::Instruction& of = code.instructions[i];
        if (of.op == Op::next_pass) loop = of.imm != 0 ? 0 : ++loops;
        if (of.op != Op::load && of.op != Op::store && of.op != Op::atomic) continue;
        const std::size_t column = of.op == Op::load ? 0 : of.op == Op::store ? 1 : 2;
        if (known[of.place][column]) continue;
        known[of.place][column] = true;
        spots_[of.place][column] = {i, loop};
    }
}

TextOrder::Position TextOrder::position(std::uint32_t place, ActionKind kind,
                                        std::uint32_t turn) const {
    const Spot& spot = spots_[place][column_of(kind)];
    return {spot.loop, spot.loop == 0 ? 0 : turn, spot.at};
}

}  // namespace lab::analysis
