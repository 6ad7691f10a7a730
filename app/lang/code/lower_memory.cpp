#include <fmt/format.h>

#include <algorithm>

#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

using Kind = Expression::Kind;

constexpr std::uint64_t kMostLeaves = 4096;
constexpr std::uint64_t kMostLoose = 16;  // bytes of an access at any byte: one action's accesses

// Whether it is an address that is known before anything runs.
bool is_address(const Expression& expression) {
    switch (expression.kind) {
        case Kind::variable:
            return expression.variable->at_file_scope;
        case Kind::constant:
            return true;
        case Kind::address:
        case Kind::decay:
        case Kind::member:
            return is_address(*expression.operands[0]);
        case Kind::convert:
            return expression.type->is_pointer() && is_address(*expression.operands[0]);
        case Kind::dereference:  // of an element, whose address is taken
            return expression.operands[0]->kind != Kind::variable &&
                   is_address(*expression.operands[0]);
        case Kind::offset:
            return is_address(*expression.operands[0]) && constant_of(*expression.operands[1]);
        default:
            return false;
    }
}

}  // namespace

Registers Lowering::variable(const E& expr) {
    if (expr.type->is_array() || expr.type->is_structure()) return {pointer_to(expr)};
    // A pointer outside of functions that stays what it is at first.
    const Variable& of = *expr.variable;
    if (of.at_file_scope && of.type->is_pointer() && !of.is_assigned && of.initial != nullptr &&
        is_address(*of.initial))
        return value(*of.initial);
    return load(location(expr), expr.place);
}

Location Lowering::location(const E& expr) {
    Location result;
    result.type = expr.type;
    result.space = expr.space;
    switch (expr.kind) {
        case Kind::variable: {
            if (expr.is_literal) begin_literal(expr);
            const Storage& own = storage(*expr.variable);
            if (own.object >= 0) {
                result.pointer = object_pointer(own.object);
            } else {
                result.registers = own.registers;
                result.variable = expr.variable;
            }
            return result;
        }
        case Kind::swizzle: {
            const Location whole = location(*expr.operands[0]);
            result.variable = whole.variable;
            if (!whole.registers.empty()) {
                for (const std::uint8_t lane : expr.lanes)
                    result.registers.push_back(whole.registers[lane]);
                return result;
            }
            result.pointer = whole.pointer;
            result.space = whole.space;
            result.alignment = whole.alignment;
            for (const std::uint8_t lane : expr.lanes)
                result.lanes.push_back(whole.lanes.empty() ? lane : whole.lanes[lane]);
            return result;
        }
        default:
            result.pointer = pointer_to(expr);
            result.alignment = alignment_of(expr);
            return result;
    }
}

std::uint32_t Lowering::pointer_to(const E& expr, bool beyond) {
    switch (expr.kind) {
        case Kind::variable: {
            if (expr.is_literal) begin_literal(expr);
            const Storage& own = storage(*expr.variable);
            if (own.object < 0) stop(expr.place, "this has no address");
            return object_pointer(own.object);
        }
        case Kind::dereference:
            if (is_inner_element(expr)) return element_of_inner(expr, beyond);
            return scalar(*expr.operands[0]);
        case Kind::member: {
            drops_const_ = drops_const_ || overlays_pointers(expr);
            const std::uint32_t whole = pointer_to(*expr.operands[0]);
            const std::uint64_t offset = expr.operands[0]->type->members[expr.index].offset;
            if (offset == 0) return whole;
            return offset_pointer(whole, constant(offset), 1, expr.place);
        }
        case Kind::call: {
            const Registers registers = call(expr);
            return registers.front();
        }
        case Kind::assign:
            effect(expr);
            return pointer_to(*expr.operands[0]);
        case Kind::comma:
            effect(*expr.operands[0]);
            return pointer_to(*expr.operands[1]);
        case Kind::conditional: {
            const E& yes = *expr.operands[1];
            const E& no = *expr.operands[2];
            if (!yes.lvalue || !no.lvalue || yes.space != no.space)
                stop(expr.place, "'?' between these structures is not supported here",
                     "Write if and else");
            const std::uint32_t condition = scalar(*expr.operands[0]);
            const std::uint32_t a = pointer_to(yes), b = pointer_to(no), to = fresh();
            emit(Op::select, expr.place);
            last().to = to;
            last().a = a;
            last().b = b;
            last().c = condition;
            return to;
        }
        default:
            stop(expr.place, "this structure cannot be used in that way",
                 "Copy it to a variable first");
    }
}

Registers Lowering::load_at(std::uint32_t pointer, Space space, Scalar type, std::uint8_t count,
                            const Place& place, std::optional<std::uint32_t> want) {
    const Registers registers = want && count == 1 ? Registers{*want} : fresh_registers(count);
    emit(space == Space::private_ ? Op::load_private : Op::load, place);
    last().to = registers[0];
    last().a = pointer;
    last().type = type;
    last().count = count;
    last().extra = static_cast<std::uint16_t>(space);
    return registers;
}

void Lowering::store_at(std::uint32_t pointer, Space space, Scalar type, const Registers& value,
                        const Place& place) {
    // The instruction takes registers in a row.
    std::uint32_t first = value[0];
    for (std::size_t i = 0; i < value.size(); ++i)
        if (value[i] != first + i || ((first & kUniform) != 0 && value.size() > 1)) {
            const Registers row = fresh_registers(value.size());
            for (std::size_t k = 0; k < value.size(); ++k)
                operation(Op::move, place, value[k], 0, row[k]);
            first = row[0];
            break;
        }
    emit(space == Space::private_ ? Op::store_private : Op::store, place);
    last().to = first;
    last().a = pointer;
    last().type = type;
    last().count = static_cast<std::uint8_t>(value.size());
    last().extra = static_cast<std::uint16_t>(space);
}

void Lowering::mark_alignment(std::uint64_t alignment, std::uint8_t flags) {
    Instruction& access = last();
    const std::uint64_t bytes = info(access.type).bytes;
    const std::uint64_t whole = bytes * (access.count == 3 ? 4U : access.count);
    access.flags |= static_cast<std::uint8_t>(flags & ~kAligned);
    if (alignment < bytes) access.flags |= kLoose;
    if ((flags & kAligned) != 0 && alignment >= whole) access.flags |= kAligned;
}

Registers Lowering::load_lying(std::uint32_t pointer, Space space, Scalar type, std::uint8_t count,
                               std::uint64_t alignment, std::uint8_t flags, const Place& place,
                               std::optional<std::uint32_t> want) {
    const std::uint64_t bytes = info(type).bytes;
    if (alignment >= bytes || bytes * count <= kMostLoose) {
        Registers whole = load_at(pointer, space, type, count, place, want);
        mark_alignment(alignment, flags);
        return whole;
    }
    Registers parts;
    for (std::uint8_t i = 0; i < count; ++i) {
        const std::uint32_t part =
            offset_pointer(pointer, constant(i), static_cast<std::int64_t>(bytes), place);
        parts.push_back(load_at(part, space, type, 1, place).front());
        mark_alignment(alignment, flags);
    }
    return parts;
}

void Lowering::store_lying(std::uint32_t pointer, Space space, Scalar type, const Registers& value,
                           std::uint64_t alignment, std::uint8_t flags, const Place& place) {
    const std::uint64_t bytes = info(type).bytes;
    if (alignment >= bytes || bytes * value.size() <= kMostLoose) {
        store_at(pointer, space, type, value, place);
        mark_alignment(alignment, flags);
        return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::uint32_t part =
            offset_pointer(pointer, constant(i), static_cast<std::int64_t>(bytes), place);
        store_at(part, space, type, {value[i]}, place);
        mark_alignment(alignment, flags);
    }
}

Registers Lowering::load(const Location& from, const Place& place,
                         std::optional<std::uint32_t> want) {
    if (!from.registers.empty()) {
        const Storage* own = from.variable == nullptr ? nullptr : &storage(*from.variable);
        if (own != nullptr && own->defined != 0) {
            emit(Op::check_defined, place);
            last().a = own->defined;
            last().imm = own->name;
        }
        return from.registers;
    }
    const Type& type = *from.type;
    const Scalar scalar = type.is_pointer() ? Scalar::ulong : type.scalar;
    if (from.lanes.empty())
        return load_lying(from.pointer, from.space, scalar, type.width, from.alignment,
                          type.is_vector() ? kAligned : std::uint8_t{0}, place, want);
    Registers result;
    for (const std::uint8_t lane : from.lanes) {
        const std::uint32_t index =
            lane == 0 ? from.pointer
                      : offset_pointer(from.pointer, constant(lane), info(scalar).bytes, place);
        result.push_back(load_at(index, from.space, scalar, 1, place).front());
        mark_alignment(from.alignment, 0);
    }
    return result;
}

void Lowering::store(const Location& to, const Registers& value, const Place& place) {
    if (!to.registers.empty()) {
        // Components of one vector may change places: v.xy = v.yx.
        Registers given = value;
        if (given.size() > 1)
            for (std::uint32_t& each : given)
                if (std::find(to.registers.begin(), to.registers.end(), each) != to.registers.end())
                    each = operation(Op::move, place, each);
        for (std::size_t i = 0; i < to.registers.size(); ++i)
            move(to.registers[i], given[i], place);
        if (to.variable != nullptr)
            if (const Storage& own = storage(*to.variable); own.defined != 0)
                move(own.defined, constant(1), place);
        return;
    }
    const Type& type = *to.type;
    const Scalar scalar = type.is_pointer() ? Scalar::ulong : type.scalar;
    if (to.lanes.empty()) {
        store_lying(to.pointer, to.space, scalar, value, to.alignment,
                    type.is_vector() ? kAligned : std::uint8_t{0}, place);
        return;
    }
    for (std::size_t i = 0; i < to.lanes.size(); ++i) {
        const std::uint32_t index =
            offset_pointer(to.pointer, constant(to.lanes[i]), info(scalar).bytes, place);
        store_at(index, to.space, scalar, {value[i]}, place);
        mark_alignment(to.alignment, 0);
    }
}

void Lowering::copy(const E& from, std::uint32_t to, Space to_space, std::uint64_t alignment,
                    const Place& place) {
    const std::uint32_t pointer = pointer_to(from);
    copy(*from.type, to, to_space, pointer, from.space, std::min(alignment, alignment_of(from)),
         place);
}

// `alignment`: of the less aligned of the two.
void Lowering::copy(const Type& type, std::uint32_t to, Space to_space, std::uint32_t from,
                    Space from_space, std::uint64_t alignment, const Place& place) {
    if (type.leaves > kMostLeaves)
        stop(place, fmt::format("a {} is too large to be copied at once", type.name));
    const std::uint32_t top = top_;
    const auto part = [&](const Type& of, std::uint64_t offset) {
        const std::uint32_t index = constant(offset);
        copy(of, offset == 0 ? to : offset_pointer(to, index, 1, place), to_space,
             offset == 0 ? from : offset_pointer(from, index, 1, place), from_space,
             alignment_at(alignment, offset), place);
    };
    if (type.is_array()) {
        for (std::uint64_t i = 0; i < type.count; ++i)
            part(*type.element, i * type.element->bytes);
    } else if (type.overlaid) {
        // All of its bytes: whichever member holds as many, or one after another.
        for (const Type::Member& member : type.members)
            if (member.type->bytes == type.bytes && !member.type->is_structure()) {
                part(*member.type, 0);
                top_ = top;
                return;
            }
        for (std::uint64_t i = 0; i < type.bytes; ++i)
            part(*tree_.types.scalar(Scalar::uchar), i);
    } else if (type.is_structure()) {
        for (const Type::Member& member : type.members)
            part(*member.type, member.offset);
    } else {
        const Scalar scalar = type.is_pointer() ? Scalar::ulong : type.scalar;
        const Registers value =
            load_lying(from, from_space, scalar, type.width, alignment, kWhole, place);
        store_lying(to, to_space, scalar, value, alignment, 0, place);
    }
    top_ = top;
}

void Lowering::zero(const Type& type, std::uint32_t pointer, Space space, std::uint64_t offset,
                    const E& list, const Place& place) {
    if (type.is_array()) {
        for (std::uint64_t i = 0; i < type.count; ++i)
            zero(*type.element, pointer, space, offset + i * type.element->bytes, list, place);
        return;
    }
    if (type.is_structure()) {
        for (const Type::Member& member : type.members)
            zero(*member.type, pointer, space, offset + member.offset, list, place);
        return;
    }
    for (std::size_t i = 0; i < list.offsets.size(); ++i) {
        const std::uint64_t size = list.operands[i]->type->bytes;
        if (offset >= list.offsets[i] && offset < list.offsets[i] + size) return;
    }
    const std::uint32_t top = top_;
    const std::uint32_t index = offset_pointer(pointer, constant(offset), 1, place);
    const Scalar scalar = type.is_pointer() ? Scalar::ulong : type.scalar;
    store_lying(index, space, scalar, Registers(type.width, constant(0)),
                alignment_at(list.type->alignment, offset), 0, place);
    top_ = top;
}

void Lowering::initialize(std::uint32_t pointer, Space space, const Type& type, const E& list) {
    if (type.leaves > kMostLeaves)
        stop(list.place, fmt::format("a {} is too large for a list of values", type.name),
             "Fill it in a loop");
    zero(type, pointer, space, 0, list, list.place);
    for (std::size_t i = 0; i < list.operands.size(); ++i) {
        const std::uint32_t top = top_;
        const E& expr = *list.operands[i];
        const std::uint32_t index =
            offset_pointer(pointer, constant(list.offsets[i]), 1, expr.place);
        const std::uint64_t alignment = alignment_at(type.alignment, list.offsets[i]);
        if (expr.type->is_structure()) {
            copy(expr, index, space, alignment, expr.place);
        } else {
            const Scalar scalar = expr.type->is_pointer() ? Scalar::ulong : expr.type->scalar;
            store_lying(index, space, scalar, value(expr), alignment, 0, expr.place);
        }
        top_ = top;
    }
}

}  // namespace lab::lang
