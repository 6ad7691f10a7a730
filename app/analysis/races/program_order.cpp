#include "analysis/races/program_order.h"

namespace lab::analysis {
namespace {

using lang::Op;
using machine::ActionKind;

std::size_t column_of(ActionKind kind) {
    return kind == ActionKind::load ? 0 : kind == ActionKind::store ? 1 : 2;
}

}  // namespace

ProgramOrder::ProgramOrder(const lang::Code& code) : spots_(code.places.size()) {
    std::vector<std::array<bool, 3>> known(spots_.size());
    std::uint32_t loops = 0, loop = 0;
    for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
        const lang::Instruction& instruction = code.instructions[i];
        if (instruction.op == Op::next_pass) loop = instruction.imm != 0 ? 0 : ++loops;
        const auto note = [&](std::size_t column) {
            if (known[instruction.place][column]) return;
            known[instruction.place][column] = true;
            spots_[instruction.place][column] = {i, loop};
        };
        if (instruction.op == Op::load || instruction.op == Op::group_copy) note(0);
        if (instruction.op == Op::store || instruction.op == Op::group_copy) note(1);
        if (instruction.op == Op::atomic) note(2);
    }
}

ProgramOrder::Position ProgramOrder::position(std::uint32_t place, ActionKind kind,
                                              std::uint32_t turn) const {
    const Spot& spot = spots_[place][column_of(kind)];
    return {spot.loop, spot.loop == 0 ? 0 : turn, spot.at};
}

}  // namespace lab::analysis
