// From one type to another, asked for or not (OpenCL C 1.2, section 6.2).
#include <fmt/format.h>

#include <algorithm>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

int rank_of(Scalar scalar) {
    return scalar >= Scalar::half_ ? static_cast<int>(scalar) + 8 : static_cast<int>(scalar) / 2;
}

using Kind = Expression::Kind;

}  // namespace

Expression* Parser::value(E* expr) {
    if (expr->type == nullptr || !expr->type->is_array()) return expr;
    E* result = make(Kind::decay, types_.pointer(expr->type->element, expr->space, expr->is_const),
                     expr->place, {expr});
    if (expr->kind == Kind::variable) const_cast<Variable*>(expr->variable)->in_memory = true;
    return result;
}

const Type* Parser::common(const Type* a, const Type* b) {
    const auto promote = [](Scalar scalar) {
        return scalar < Scalar::int_ ? Scalar::int_ : scalar;
    };
    const Scalar left = promote(a->scalar), right = promote(b->scalar);
    return types_.scalar(std::max(left, right));  // the order of Scalar is C's
}

Expression* Parser::promoted(E* expr) {
    if (expr->type == nullptr || !expr->type->is_scalar() || expr->type->scalar >= Scalar::int_)
        return expr;
    return to_arithmetic(expr, types_.scalar(Scalar::int_));
}

Expression* Parser::to_arithmetic(E* expr, const Type* to) {
    if (expr->type == to || expr->type == nullptr) return expr;
    if (expr->type->scalar != to->scalar) {
        const Type* own = types_.vector(to->scalar, expr->type->width);
        if (expr->kind == Kind::constant) {
            if (const auto bits = constant_of(*make(Kind::convert, own, expr->place, {expr})))
                expr = constant(own, *bits, expr->place);
            else
                expr = make(Kind::convert, own, expr->place, {expr});
        } else {
            expr = make(Kind::convert, own, expr->place, {expr});
        }
    }
    if (expr->type == to) return expr;
    return make(Kind::build, to, expr->place, {expr});  // a scalar for every component
}

// Gives two operands of which one is a vector the same type; false after an error.
bool Parser::common_vectors(E*& left, E*& right, const Place& place, const char* doing) {
    E*& narrow = left->type->is_vector() ? right : left;
    const E* wide = left->type->is_vector() ? left : right;
    if (narrow->type == wide->type) return true;
    if (narrow->type->is_vector()) {
        error(place,
              fmt::format("'{}' of a {} and a {}", doing, left->type->name, right->type->name),
              fmt::format("Vectors must be of one type: write convert_{}( )", wide->type->name));
        return false;
    }
    if (rank_of(narrow->type->scalar) > rank_of(wide->type->scalar) &&
        narrow->kind != Kind::constant) {
        error(place,
              fmt::format("a {} does not fit the components of a {}", narrow->type->name,
                          wide->type->name),
              fmt::format("Write ({})value", info(wide->type->scalar).name));
        return false;
    }
    narrow = to_arithmetic(narrow, wide->type);
    return true;
}

const Type* Parser::mask_of(const Type* type) {
    if (type->is_scalar()) return types_.scalar(Scalar::int_);
    return types_.vector(integer_of(info(type->scalar).bytes, true), type->width);
}

// A scalar or pointer as a condition: 0, or anything else.
Expression* Parser::truth(E* expr) {
    expr = value(expr);
    if (expr->type == nullptr || expr->type->is_pointer()) return expr;
    if (!expr->type->is_scalar()) {
        error(expr->place,
              fmt::format("a condition must be a number, this is a {}", expr->type->name),
              expr->type->is_vector() ? "Write any( ) or all( )" : "");
        return broken(expr->place);
    }
    if (!expr->type->is_floating()) return expr;
    return binary_node(Operator::ne, expr, constant(types_.scalar(Scalar::int_), 0, expr->place),
                       expr->place);
}

Expression* Parser::cast(E* expr, const Type* to, const Place& place) {
    expr = value(expr);
    if (expr->type == nullptr) return broken(place);
    if (to->is_void()) return make(Kind::comma, to, place, {expr});
    if (expr->type == to) {
        E* same = make(Kind::convert, to, place, {expr});  // no lvalue any more
        return same;
    }
    const bool integers = expr->type->is_scalar() && expr->type->is_integral();
    if (to->is_pointer() && expr->type->is_pointer()) {
        if (reaches(to->space, expr->type->space)) return make(Kind::convert, to, place, {expr});
        error(place, fmt::format("a {} cannot become a {}", expr->type->name, to->name),
              fmt::format("It points to {} memory: write {} before the type in the cast",
                          name_of(expr->type->space), name_of(expr->type->space)));
        return broken(place);
    }
    if ((to->is_pointer() && integers) ||
        (expr->type->is_pointer() && to->is_scalar() && to->is_integral()))
        return make(Kind::convert, to, place, {expr});
    if (to->is_arithmetic() && expr->type->is_arithmetic() &&
        (expr->type->is_scalar() || expr->type == to)) {
        E* result = to_arithmetic(expr, to);
        result->place = place;
        return result;
    }
    error(place, fmt::format("a {} cannot become a {}", expr->type->name, to->name),
          to->is_vector() && expr->type->is_vector()
              ? fmt::format("Write convert_{}( ) or as_{}( )", to->name, to->name)
              : "");
    return broken(place);
}

Expression* Parser::convert(E* expr, const Type* to, const char* doing) {
    expr = value(expr);
    if (expr->type == nullptr || expr->type == to) return expr;
    if (to->is_arithmetic() && expr->type->is_arithmetic() && expr->type->is_scalar())
        return to_arithmetic(expr, to);
    if (to->is_scalar() && to->scalar == Scalar::bool_ && expr->type->is_pointer())
        return unary_node(Operator::not_, unary_node(Operator::not_, expr, expr->place),
                          expr->place);
    if (to->is_pointer() && expr->kind == Kind::constant && expr->type->is_integral() &&
        expr->bits == 0)
        return make(Kind::convert, to, expr->place, {expr});
    if (to->is_pointer() && expr->type->is_pointer() && reaches(to->space, expr->type->space)) {
        const bool same = to->element == expr->type->element || to->element->is_void() ||
                          expr->type->element->is_void();
        if (!same || (expr->type->to_const && !to->to_const))
            diagnostics_.warning(
                expr->place,
                same ? fmt::format("this drops the const of a {}", expr->type->name)
                     : fmt::format("a {} is taken for a {}", expr->type->name, to->name),
                "Write a cast if that is meant");
        return make(Kind::convert, to, expr->place, {expr});
    }
    const bool spaces =
        to->is_pointer() && expr->type->is_pointer() && to->space != expr->type->space;
    error(expr->place,
          fmt::format("cannot {} a {} where a {} is needed", doing, expr->type->name, to->name),
          spaces ? fmt::format(
                       "This points to {} memory: the other must be a pointer to {} memory too",
                       name_of(expr->type->space), name_of(expr->type->space))
          : to->is_vector() && expr->type->is_vector()
              ? fmt::format("Write convert_{}( ) or as_{}( )", to->name, to->name)
              : "");
    return broken(expr->place);
}

}  // namespace lab::lang
