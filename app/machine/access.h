// Accesses that are not allowed: through null, out of bounds, misaligned, writes to constants.
#pragma once

#include "machine/state.h"
namespace lab::machine {

// The alignment that an access needs, in bytes: a power of two.
inline std::uint64_t alignment_of(const lang::Instruction& instruction) {
    const bool vector = (instruction.flags & lang::kAligned) != 0;
    if ((instruction.flags & lang::kLoose) != 0) return 1;
    return std::uint64_t{lang::info(instruction.type).bytes} * (!vector ? 1U
                                                                : instruction.count == 3
                                                                    ? 4U
                                                                    : instruction.count);
}

inline bool may_reach(const lang::Instruction& instruction, Space space) {
    if (instruction.op == lang::Op::load_private || instruction.op == lang::Op::store_private)
        return space == Space::private_;
    if (instruction.op == lang::Op::atomic) return space != Space::private_;
    const auto wanted = static_cast<Space>(instruction.extra);
    if (wanted == Space::generic) return space == Space::local || space == Space::global;
    return space == wanted || (wanted == Space::constant && space == Space::global);
}

// Throws the Fault of an access that is not allowed, saying what is wrong with its pointer.
[[noreturn]] void refuse_access(const Context& context, const lang::Instruction& instruction,
                                std::uint64_t pointer, std::uint64_t item);

// The same for a check_index.
[[noreturn]] void refuse_index(const Context& context, const lang::Instruction& instruction,
                               std::int64_t index, std::uint64_t item);

}  // namespace lab::machine
