// Which registers an instruction reads and writes, for analyses that follow values.
#pragma once

#include <cstdint>

#include "lang/code/code.h"

namespace lab::lang {

namespace operands {

// How many of a, b, c it reads.
inline unsigned inputs(const Instruction& of) {
    switch (of.op) {
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
        case Op::barrier:
            return 0;
        case Op::if_:
        case Op::test:
        case Op::case_:
            return 1;
        default:
            break;
    }
    if (of.op >= Op::jump) return 0;
    return of.op < Op::negate_i32 ? 2 : 1;
}

inline bool stores(const Instruction& of) {
    return of.op == Op::store || of.op == Op::store_private;
}

inline bool writes(const Instruction& of) {
    return of.op < Op::jump && !stores(of) && of.op != Op::barrier && of.op != Op::check_defined &&
           of.op != Op::lineage_of_choice;
}

}  // namespace operands

// Calls `each` with every register that it reads; uniform ones are left out.
template <typename Each>
void for_inputs(const Instruction& of, Each each) {
    const std::uint32_t given[] = {of.a, of.b, of.c};
    for (unsigned i = 0; i < operands::inputs(of); ++i)
        if ((given[i] & kUniform) == 0) each(given[i]);
    if (!operands::stores(of)) return;
    for (std::uint32_t i = 0; i < of.count; ++i)
        if ((of.to & kUniform) == 0) each(of.to + i);
}

// Calls `each` with every register that it writes.
template <typename Each>
void for_outputs(const Instruction& of, Each each) {
    if (!operands::writes(of)) return;
    const bool several = of.op == Op::load || of.op == Op::load_private;
    for (std::uint32_t i = 0; i < (several ? of.count : 1U); ++i)
        each(of.to + i);
}

}  // namespace lab::lang
