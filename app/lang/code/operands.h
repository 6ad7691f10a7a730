// Which registers an instruction reads and writes, for analyses that follow values.
#pragma once

#include <cstdint>

#include "lang/code/code.h"

namespace lab::lang {

namespace operands {

// How many of a, b, c it reads.
inline unsigned inputs(const Instruction& instruction) {
    switch (instruction.op) {
        case Op::select:
        case Op::pure:
        case Op::atomic:
            return 3;
        case Op::offset:
        case Op::difference:
        case Op::and_:
        case Op::or_:
        case Op::xor_:
        case Op::group_collective:
        case Op::sub_collective:
            return 2;
        case Op::global_id:
        case Op::local_id:
        case Op::group_id:
        case Op::lane_id:
        case Op::warp_id:
        case Op::undefine:
        case Op::lineage_of_choice:  // looks at lineage alone
        case Op::print:              // a row of registers
        case Op::group_copy:         // the same
            return 0;
        case Op::barrier:
            return (instruction.extra & kFenceComputed) != 0 ? 1 : 0;
        case Op::if_:
        case Op::test:
        case Op::case_:
            return 1;
        default:
            break;
    }
    if (instruction.op >= Op::jump) return 0;
    return instruction.op < Op::negate_i32 ? 2 : 1;
}

inline bool stores(const Instruction& instruction) {
    return instruction.op == Op::store || instruction.op == Op::store_private;
}

// Reads `count` registers from `to` on.
inline bool reads_row(const Instruction& instruction) {
    return stores(instruction) || instruction.op == Op::print;
}

inline bool writes(const Instruction& instruction) {
    return instruction.op < Op::jump && !reads_row(instruction) && instruction.op != Op::barrier &&
           instruction.op != Op::check_defined && instruction.op != Op::lineage_of_choice &&
           instruction.op != Op::check_index && instruction.op != Op::group_wait;
}

}  // namespace operands

// Calls `each` with every register that it reads; uniform ones are left out.
template <typename Each>
void for_inputs(const Instruction& instruction, Each each) {
    const std::uint32_t given[] = {instruction.a, instruction.b, instruction.c};
    for (unsigned i = 0; i < operands::inputs(instruction); ++i)
        if ((given[i] & kUniform) == 0) each(given[i]);
    if (instruction.op == Op::group_copy)
        for (std::uint32_t i = 0; i < kCopyOperands; ++i)
            each(instruction.a + i);
    if (!operands::reads_row(instruction)) return;
    for (std::uint32_t i = 0; i < instruction.count; ++i)
        if ((instruction.to & kUniform) == 0) each(instruction.to + i);
}

// Calls `each` with every register that it writes.
template <typename Each>
void for_outputs(const Instruction& instruction, Each each) {
    if (!operands::writes(instruction)) return;
    const bool several = instruction.op == Op::load || instruction.op == Op::load_private;
    for (std::uint32_t i = 0; i < (several ? instruction.count : 1U); ++i)
        each(instruction.to + i);
}

}  // namespace lab::lang
