// The memory that an action touches, as far as others see it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/context.h"

namespace lab::analysis {

// Bytes of one object that others see, too.
struct Cells {
    // A buffer of the job, or, with kLocalObject, an object in the group's local memory.
    std::uint64_t object = 0;
    std::uint64_t first = 0, end = 0;
    bool writes = false;

    bool operator==(const Cells&) const = default;
};
inline constexpr std::uint64_t kLocalObject = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t kAnyObject = ~std::uint64_t{0}, kNoEnd = ~std::uint64_t{0};

// What `bytes` at a pointer are. Empty: nothing that anybody writes. A pointer out of bounds leads
// to any object: it is a fault, which nobody comes after.
std::optional<Cells> cells_at(const machine::Context& context, const std::vector<bool>& written,
                              std::uint64_t pointer, std::uint64_t bytes, bool writes);
// Of a load, a store or an atomic.
bool writes_cells(const lang::Instruction& instruction);
inline std::uint64_t bytes_touched(const lang::Instruction& instruction) {
    return std::uint64_t{lang::info(instruction.type).bytes} * instruction.count;
}
// Whether two of them, done by others, may give something else in the other order.
bool order_matters(const Cells& a, const Cells& b, bool one_group);

}  // namespace lab::analysis
