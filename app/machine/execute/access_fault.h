// Accesses that are not allowed: through null, out of bounds, misaligned, writes to constants.
#pragma once

#include "machine/context.h"

namespace lab::machine {

// The alignment that an access needs, in bytes: a power of two.
inline std::uint64_t alignment_of(const lang::Instruction& of) {
    const bool vector = (of.flags & lang::kAligned) != 0;
    return std::uint64_t{lang::info(of.type).bytes} * (!vector         ? 1U
                                                       : of.count == 3 ? 4U
                                                                       : of.count);
}

inline bool may_reach(const lang::Instruction& of, Space space) {
    if (of.op == lang::Op::load_private || of.op == lang::Op::store_private)
        return space == Space::private_;
    if (of.op == lang::Op::atomic) return space != Space::private_;
    const auto wanted = static_cast<Space>(of.extra);
    return space == wanted || (wanted == Space::constant && space == Space::global);
}

// Throws the Fault of an access that is not allowed, saying what is wrong with its pointer.
[[noreturn]] void refuse_access(const Context& context, const lang::Instruction& of,
                                std::uint64_t pointer, std::uint64_t item);

}  // namespace lab::machine
