#include "analysis/outcomes/touched_cells.h"

#include <algorithm>
#include <bit>

#include "machine/execute/copies.h"

namespace lab::analysis {

using lang::Instruction;
using lang::Op;

namespace {

std::optional<Cells> copied_side(const machine::Context& context, const std::vector<bool>& written,
                                 const machine::Copy& copy, bool writes) {
    if (copy.elements == 0) return std::nullopt;
    const Instruction& began = context.code->instructions[copy.instruction];
    const bool strided = writes != (began.extra != 0);  // the side in global memory
    const std::uint64_t piece = bytes_touched(began);
    const std::uint64_t step = strided ? copy.stride * began.imm : began.imm;
    const bool endless = step != 0 && copy.elements - 1 > (kNoEnd - piece) / step;
    std::optional<Cells> cells =
        cells_at(context, written, writes ? copy.to : copy.from,
                 endless ? kNoEnd : (copy.elements - 1) * step + piece, writes);
    if (!cells) return std::nullopt;
    cells->copies = true;
    if (step > piece && cells->object != kAnyObject) {
        cells->step = step;
        cells->piece = piece;
    }
    return cells;
}

// Of two that overlap as a whole, at least one of them in pieces.
bool pieces_meet(const Cells& a, const Cells& b) {
    if (a.step == 0) return pieces_meet(b, a);
    if (b.step != 0) {
        if (a.step != b.step) return true;
        const std::uint64_t apart = a.first <= b.first
                                        ? (b.first - a.first) % a.step
                                        : (a.step - (a.first - b.first) % a.step) % a.step;
        return apart < a.piece || a.step - apart < b.piece;
    }
    if (b.first <= a.first) return true;
    const std::uint64_t within = (b.first - a.first) % a.step;
    return within < a.piece || b.first + (a.step - within) < std::min(a.end, b.end);
}

}  // namespace

bool writes_cells(const Instruction& instruction) {
    return instruction.op == Op::store ||
           (instruction.op == Op::atomic &&
            static_cast<lang::Builtin>(instruction.extra) != lang::Builtin::atomic_load);
}

bool reads_only(const Instruction& instruction, std::uint64_t operand) {
    using lang::Builtin;
    if (instruction.op != Op::atomic) return false;
    switch (static_cast<Builtin>(instruction.extra)) {
        case Builtin::atomic_load:
            return true;
        case Builtin::atomic_add:
        case Builtin::atomic_sub:
        case Builtin::atomic_or:
        case Builtin::atomic_xor:
            return operand == 0 && !lang::info(instruction.type).floating;  // -0.0 + 0.0 is 0.0
        default:
            return false;
    }
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
    if (a.first >= b.end || b.first >= a.end) return false;
    return (a.step == 0 && b.step == 0) || pieces_meet(a, b);
}

std::vector<Cells> copied_cells(const machine::Context& context, const std::vector<bool>& written,
                                const machine::Copy& copy) {
    std::vector<Cells> cells;
    for (const bool writes : {false, true})
        if (const auto side = copied_side(context, written, copy, writes)) cells.push_back(*side);
    return cells;
}

std::vector<Cells> next_cells(const machine::Context& context, const std::vector<bool>& written,
                              const machine::State& state, const machine::Choice& choice) {
    const machine::Group& group = *state.groups[choice.slot];
    const machine::Warp& warp = group.warps[choice.warp];
    const Instruction& instruction = context.code->instructions[warp.pc];
    std::vector<Cells> cells;
    if (instruction.op == Op::group_copy && machine::comes_last(group))
        return copied_cells(context, written, machine::copy_at(context, group, choice.warp));
    if (instruction.op == Op::group_wait && machine::comes_last(group)) {
        const std::uint64_t event = machine::event_at(context, group, choice.warp);
        for (const machine::Copy& each : group.copies)
            if (each.event == event)
                for (const Cells& side : copied_cells(context, written, each))
                    cells.push_back(side);
        return cells;
    }
    if (instruction.op != Op::load && instruction.op != Op::store && instruction.op != Op::atomic)
        return cells;
    const auto lanes_of = [&](std::uint32_t reg) {
        return (reg & lang::kUniform) != 0
                   ? context.uniforms.data() + std::size_t{reg & ~lang::kUniform} * context.lanes
                   : group.registers.data() +
                         (std::size_t{choice.warp} * context.registers + reg) * context.lanes;
    };
    const std::uint64_t* pointers = lanes_of(instruction.a);
    const std::uint64_t* operands =
        instruction.op == Op::atomic ? lanes_of(instruction.b) : nullptr;
    for (std::uint64_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t pointer = pointers[lane];
        const std::uint64_t number = machine::object_in(pointer);
        const std::uint64_t bytes = bytes_touched(instruction);
        // A fault whatever anyone else does, and nobody sees what came before it.
        if (number == 0 || number >= context.objects.size() ||
            static_cast<std::uint64_t>(machine::offset_in(pointer)) >
                context.objects[number].bytes ||
            bytes > context.objects[number].bytes -
                        static_cast<std::uint64_t>(machine::offset_in(pointer)))
            return {};
        const auto each = cells_at(context, written, pointer, bytes, writes_cells(instruction));
        if (!each) continue;
        cells.push_back(*each);
        if (operands != nullptr && context.objects[number].filled &&
            reads_only(instruction, operands[lane]))
            cells.back().writes = each->object == kAnyObject;
    }
    return cells;
}

}  // namespace lab::analysis
