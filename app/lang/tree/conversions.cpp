// From one type to another, asked for or not (OpenCL C 1.2, section 6.2).
#include <fmt/format.h>

#include <algorithm>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

int rank_of(Scalar scalar) {
    return scalar >= Scalar::float_ ? static_cast<int>(scalar) + 8 : static_cast<int>(scalar) / 2;
}

using Kind = Expression::Kind;

}  // namespace

Expression* Parser::value(E* of) {
    if (of->type == nullptr || !of->type->is_array()) return of;
    E* made = make(Kind::decay, types_.pointer(of->type->element, of->space, of->is_const),
                   of->place, {of});
    if (of->kind == Kind::variable) const_cast<Variable*>(of->variable)->in_memory = true;
    return made;
}

const Type* Parser::common(const Type* a, const Type* b) {
    const auto promote = [](Scalar of) { return of < Scalar::int_ ? Scalar::int_ : of; };
    const Scalar left = promote(a->scalar), right = promote(b->scalar);
    return types_.scalar(std::max(left, right));  // the order of Scalar is C's
}

Expression* Parser::promoted(E* of) {
    if (of->type == nullptr || !of->type->is_scalar() || of->type->scalar >= Scalar::int_)
        return of;
    return to_arithmetic(of, types_.scalar(Scalar::int_));
}

Expression* Parser::to_arithmetic(E* of, const Type* to) {
    if (of->type == to || of->type == nullptr) return of;
    if (of->type->scalar != to->scalar) {
        const Type* own = types_.vector(to->scalar, of->type->width);
        if (of->kind == Kind::constant) {
            if (const auto bits = constant_of(*make(Kind::convert, own, of->place, {of})))
                of = constant(own, *bits, of->place);
            else
                of = make(Kind::convert, own, of->place, {of});
        } else {
            of = make(Kind::convert, own, of->place, {of});
        }
    }
    if (of->type == to) return of;
    return make(Kind::build, to, of->place, {of});  // a scalar for every component
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
Expression* Parser::truth(E* of) {
    of = value(of);
    if (of->type == nullptr || of->type->is_pointer()) return of;
    if (!of->type->is_scalar()) {
        error(of->place, fmt::format("a condition must be a number, this is a {}", of->type->name),
              of->type->is_vector() ? "Write any( ) or all( )" : "");
        return broken(of->place);
    }
    if (!of->type->is_floating()) return of;
    return binary_node(Operator::ne, of, constant(types_.scalar(Scalar::int_), 0, of->place),
                       of->place);
}

Expression* Parser::cast(E* of, const Type* to, const Place& place) {
    of = value(of);
    if (of->type == nullptr) return broken(place);
    if (to->is_void()) return make(Kind::comma, to, place, {of});
    if (of->type == to) {
        E* same = make(Kind::convert, to, place, {of});  // no lvalue any more
        return same;
    }
    const bool integers = of->type->is_scalar() && of->type->is_integral();
    if (to->is_pointer() && of->type->is_pointer()) {
        if (to->space == of->type->space) return make(Kind::convert, to, place, {of});
        error(place, fmt::format("a {} cannot become a {}", of->type->name, to->name),
              fmt::format("It points to {} memory: write {} before the type in the cast",
                          name_of(of->type->space), name_of(of->type->space)));
        return broken(place);
    }
    if ((to->is_pointer() && integers) ||
        (of->type->is_pointer() && to->is_scalar() && to->is_integral()))
        return make(Kind::convert, to, place, {of});
    if (to->is_arithmetic() && of->type->is_arithmetic() &&
        (of->type->is_scalar() || of->type == to)) {
        E* made = to_arithmetic(of, to);
        made->place = place;
        return made;
    }
    error(place, fmt::format("a {} cannot become a {}", of->type->name, to->name),
          to->is_vector() && of->type->is_vector()
              ? fmt::format("Write convert_{}( ) or as_{}( )", to->name, to->name)
              : "");
    return broken(place);
}

Expression* Parser::convert(E* of, const Type* to, const char* doing) {
    of = value(of);
    if (of->type == nullptr || of->type == to) return of;
    if (to->is_arithmetic() && of->type->is_arithmetic() && of->type->is_scalar())
        return to_arithmetic(of, to);
    if (to->is_scalar() && to->scalar == Scalar::bool_ && of->type->is_pointer())
        return unary_node(Operator::not_, unary_node(Operator::not_, of, of->place), of->place);
    if (to->is_pointer() && of->kind == Kind::constant && of->type->is_integral() && of->bits == 0)
        return make(Kind::convert, to, of->place, {of});
    if (to->is_pointer() && of->type->is_pointer() && to->space == of->type->space) {
        const bool same = to->element == of->type->element || to->element->is_void() ||
                          of->type->element->is_void();
        if (same && (to->to_const || !of->type->to_const))
            return make(Kind::convert, to, of->place, {of});
    }
    const bool spaces = to->is_pointer() && of->type->is_pointer() && to->space != of->type->space;
    error(of->place,
          fmt::format("cannot {} a {} where a {} is needed", doing, of->type->name, to->name),
          spaces ? fmt::format(
                       "This points to {} memory: the other must be a pointer to {} memory too",
                       name_of(of->type->space), name_of(of->type->space))
          : to->is_vector() && of->type->is_vector()
              ? fmt::format("Write convert_{}( ) or as_{}( )", to->name, to->name)
          : to->is_pointer() && of->type->is_pointer() ? "Write a cast if that is meant"
                                                       : "");
    return broken(of->place);
}

}  // namespace lab::lang
