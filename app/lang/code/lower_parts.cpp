// Parts of arrays and structures: how they lie, which elements they have, and literals of them.
#include <algorithm>

#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

using Kind = Expression::Kind;

}  // namespace

std::uint64_t Lowering::alignment_of(const E& expr) const {
    if (expr.kind == Kind::member) {
        const E& whole = *expr.operands[0];
        return alignment_at(alignment_of(whole), whole.type->members[expr.index].offset);
    }
    if (expr.kind == Kind::dereference && expr.operands[0]->kind == Kind::offset) {
        // An element of an array that lies in a packed structure.
        const E& pointer = *expr.operands[0]->operands[0];
        if (pointer.kind == Kind::decay)
            return alignment_at(alignment_of(*pointer.operands[0]), expr.type->bytes);
    }
    if (expr.kind == Kind::dereference && expr.operands[0]->kind == Kind::decay)
        return alignment_of(*expr.operands[0]->operands[0]);
    return std::max<std::uint64_t>(1, expr.type->alignment);
}

namespace {

// For messages: "s.a", "rows[…]".
std::string name_of(const Expression& lvalue) {
    switch (lvalue.kind) {
        case Kind::variable:
            return lvalue.variable->name;
        case Kind::member: {
            const Type::Member& member = lvalue.operands[0]->type->members[lvalue.index];
            const Expression& whole = *lvalue.operands[0];
            if (member.name.empty()) return name_of(whole);
            return name_of(whole) + "." + member.name;
        }
        case Kind::dereference: {
            const Expression& pointer = *lvalue.operands[0];
            if (pointer.kind == Kind::offset) return name_of(*pointer.operands[0]) + "[…]";
            return name_of(pointer);
        }
        case Kind::decay:
        case Kind::convert:
        case Kind::offset:
            return lvalue.operands.empty() ? "…" : name_of(*lvalue.operands[0]);
        default:
            return "…";
    }
}

}  // namespace

// Whether it indexes an array that is part of something larger: what is behind its end exists.
bool Lowering::is_inner_element(const E& element) {
    if (element.kind != Kind::dereference) return false;
    const Expression& pointer = *element.operands[0];
    return pointer.kind == Kind::offset && !pointer.minus &&
           pointer.operands[0]->kind == Kind::decay &&
           pointer.operands[0]->operands[0]->kind != Kind::variable;
}

std::uint32_t Lowering::element_of_inner(const E& element, bool beyond) {
    const E& pointer = *element.operands[0];
    const E& array = *pointer.operands[0]->operands[0];
    const std::uint32_t whole = pointer_to(array);
    const std::uint64_t count = array.type->count + (beyond ? 1 : 0);
    const auto known = constant_of(*pointer.operands[1]);
    const std::uint32_t by = scalar(*pointer.operands[1]);
    if (!known || *known >= count) {
        const auto [number, is_new] =
            arrays_.try_emplace(name_of(array), static_cast<std::uint32_t>(code_.arrays.size()));
        if (is_new) code_.arrays.push_back(number->first);
        emit(Op::check_index, element.place);
        last().a = by;
        last().c = number->second;
        last().imm = count;
        last().extra = beyond ? 1 : 0;
    }
    return offset_pointer(whole, by, static_cast<std::int64_t>(element.type->bytes), element.place);
}

// Its values, anew wherever the text comes by.
void Lowering::begin_literal(const E& expr) {
    const Variable& variable = *expr.variable;
    const Storage own = storage(variable);
    const Type& type = *variable.type;
    if (variable.initial != nullptr && variable.initial->kind == Kind::initializer)
        initialize(object_pointer(own.object), variable.space, type, *variable.initial);
}

}  // namespace lab::lang
