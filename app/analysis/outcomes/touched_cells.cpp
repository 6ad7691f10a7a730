#include "analysis/outcomes/touched_cells.h"

namespace lab::analysis {

using lang::Instruction;
using lang::Op;

bool writes_cells(const Instruction& instruction) {
    return instruction.op == Op::store ||
           (instruction.op == Op::atomic &&
            static_cast<lang::Builtin>(instruction.extra) != lang::Builtin::atomic_load);
}

std::optional<Cells> cells_at(const machine::Context& context, const std::vector<bool>& written,
                              std::uint64_t pointer, std::uint64_t bytes, bool writes) {
    const std::uint64_t number = machine::object_in(pointer);
    const auto offset = static_cast<std::uint64_t>(machine::offset_in(pointer));
    if (number == 0 || number > context.visible || offset > context.objects[number].bytes ||
        bytes > context.objects[number].bytes - offset)
        return Cells{kAnyObject, 0, kNoEnd, true};
    const machine::ObjectInfo& object = context.objects[number];
    if (object.space == machine::Space::constant) {
        if (writes) return Cells{kAnyObject, 0, kNoEnd, true};
        return std::nullopt;
    }
    if (object.space == machine::Space::local)
        return Cells{kLocalObject | number, offset, offset + bytes, writes};
    if (!writes && !written[object.buffer]) return std::nullopt;
    return Cells{object.buffer, offset, offset + bytes, writes};
}

bool order_matters(const Cells& a, const Cells& b, bool one_group) {
    if (!a.writes && !b.writes) return false;
    if (a.object == kAnyObject || b.object == kAnyObject) return true;
    if (a.object != b.object || (a.object >= kLocalObject && !one_group)) return false;
    return a.first < b.end && b.first < a.end;
}

}  // namespace lab::analysis
