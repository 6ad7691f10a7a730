// The memory that an action touches, as far as others see it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/machine.h"

namespace lab::analysis {

// Bytes of one object that others see, too.
struct Cells {
    // A buffer of the job, or, with kLocalObject, an object in the group's local memory.
    std::uint64_t object = 0;
    std::uint64_t first = 0, end = 0;
    bool writes = false;
    bool copies = false;                // an asynchronous copy does
    std::uint64_t step = 0, piece = 0;  // only `piece` bytes in each `step`; 0: all

    auto operator<=>(const Cells&) const = default;
};
inline constexpr std::uint64_t kLocalObject = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t kAnyObject = ~std::uint64_t{0}, kNoEnd = ~std::uint64_t{0};

// What `bytes` at a pointer are. Empty: nothing that anybody writes. A pointer out of bounds leads
// to any object: it is a fault, which nobody comes after.
std::optional<Cells> cells_at(const machine::Context& context, const std::vector<bool>& written,
                              std::uint64_t pointer, std::uint64_t bytes, bool writes);
// The sides of a copy: what it reads, and what it writes. Fewer if it copies nothing.
std::vector<Cells> copied_cells(const machine::Context& context, const std::vector<bool>& written,
                                const machine::Copy& copy);
// What a ready warp touches next; nothing if it is out of bounds. Who comes last to a copy's call,
// or to the wait for it, does so for the group.
std::vector<Cells> next_cells(const machine::Context& context, const std::vector<bool>& written,
                              const machine::State& state, const machine::Choice& choice);
// Of a load, a store or an atomic.
bool writes_cells(const lang::Instruction& instruction);
// Whether an atomic with that operand leaves every value as it is, as atomic_or(p, 0) does, by
// which kernels look at a flag: then its order with others who only look makes no difference. That
// holds in memory that was filled before the launch; elsewhere it still writes what nobody had
// written yet.
bool reads_only(const lang::Instruction& instruction, std::uint64_t operand);
inline std::uint64_t bytes_touched(const lang::Instruction& instruction) {
    return std::uint64_t{lang::info(instruction.type).bytes} * instruction.count;
}
// Whether two of them, done by others, may give something else in the other order.
bool order_matters(const Cells& a, const Cells& b, bool one_group);

}  // namespace lab::analysis
