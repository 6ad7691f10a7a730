// What each operation makes of its operands' types (OpenCL C 1.2, sections 6.2 and 6.3).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/parser.h"

namespace lab::lang {
namespace {

constexpr std::uint32_t kDeepestExpression = 1000;

const char* sign_of(Operator how) {
    static constexpr std::array<const char*, 19> kSigns{
        "+",  "-",  "*", "/",  "%", "<<", ">>", "&", "|", "^",
        "==", "!=", "<", "<=", ">", ">=", "-",  "~", "!"};
    return kSigns[static_cast<std::size_t>(how)];
}

bool integers_only(Operator how) {
    return how == Operator::rem || how == Operator::shl || how == Operator::shr ||
           how == Operator::and_ || how == Operator::or_ || how == Operator::xor_;
}

int rank_of(Scalar scalar) {
    return scalar >= Scalar::float_ ? static_cast<int>(scalar) + 8 : static_cast<int>(scalar) / 2;
}

}  // namespace

using Kind = Expression::Kind;

Expression* Parser::make(Kind kind, const Type* type, const Place& place,
                         std::vector<const E*> operands) {
    tree_.expressions.emplace_back();
    E& made = tree_.expressions.back();
    made.kind = kind;
    made.type = type;
    made.place = place;
    made.operands = std::move(operands);
    for (const E* of : made.operands)
        made.depth = std::max(made.depth, of->depth + 1);
    if (made.depth > kDeepestExpression) {
        error(place,
              fmt::format("the expression has more than {} parts, one in another",
                          kDeepestExpression),
              "Split it by variables");
        throw Recover();
    }
    return &made;
}

Expression* Parser::broken(const Place& place) {
    return make(Kind::constant, nullptr, place);
}

Expression* Parser::constant(const Type* type, std::uint64_t bits, const Place& place) {
    E* made = make(Kind::constant, type, place);
    made->bits = bits;
    return made;
}

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

Expression* Parser::arithmetic(Operator how, E* left, E* right, const Place& place) {
    if (left->type->is_vector() || right->type->is_vector()) {
        if (!common_vectors(left, right, place, sign_of(how))) return broken(place);
    } else {
        const Type* type = common(left->type, right->type);
        left = to_arithmetic(left, type);
        right = to_arithmetic(right, type);
    }
    if (integers_only(how) && left->type->is_floating()) {
        error(place, fmt::format("'{}' of a {}", sign_of(how), left->type->name),
              how == Operator::rem ? "Write fmod(a, b)" : "It is for integers only");
        return broken(place);
    }
    E* made = make(Kind::binary, left->type, place, {left, right});
    made->operator_ = how;
    return made;
}

Expression* Parser::shift(Operator how, E* left, E* right, const Place& place) {
    if (left->type->is_floating() || right->type->is_floating()) {
        error(place,
              fmt::format("'{}' of a {}", sign_of(how),
                          (left->type->is_floating() ? left : right)->type->name),
              "It is for integers only");
        return broken(place);
    }
    left = promoted(left);
    if (left->type->is_vector() && right->type->is_scalar())
        right = to_arithmetic(right, left->type);
    else if (right->type->is_vector() && left->type->width != right->type->width) {
        error(place, fmt::format("'{}' of a {} by a {}", sign_of(how), left->type->name,
                                 right->type->name));
        return broken(place);
    } else
        right = promoted(right);
    E* made = make(Kind::binary, left->type, place, {left, right});
    made->operator_ = how;
    return made;
}

const Type* Parser::mask_of(const Type* type) {
    if (type->is_scalar()) return types_.scalar(Scalar::int_);
    return types_.vector(integer_of(info(type->scalar).bytes, true), type->width);
}

Expression* Parser::comparison(Operator how, E* left, E* right, const Place& place) {
    const Type* int_type = types_.scalar(Scalar::int_);
    if (left->type->is_pointer() || right->type->is_pointer()) {
        E* made = make(Kind::binary, int_type, place, {left, right});
        made->operator_ = how;
        const auto null = [](const E* of) {
            return of->type->is_pointer() || (of->kind == Kind::constant && of->bits == 0);
        };
        if (null(left) && null(right)) return made;
        error(place, fmt::format("'{}' of a {} and a {}", sign_of(how), left->type->name,
                                 right->type->name));
        return broken(place);
    }
    E* pair = arithmetic(Operator::add, left, right, place);  // for the conversions
    if (pair->type == nullptr) return pair;
    pair->operator_ = how;
    pair->type = mask_of(pair->type);
    return pair;
}

Expression* Parser::binary_node(Operator how, E* left, E* right, const Place& place) {
    left = value(left);
    right = value(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    const bool compares = how >= Operator::eq && how <= Operator::ge;
    const bool pointers = left->type->is_pointer() || right->type->is_pointer();
    for (const E* of : {left, right})
        if (!of->type->is_arithmetic() && !of->type->is_pointer()) {
            error(place, fmt::format("'{}' of a {}", sign_of(how), of->type->name));
            return broken(place);
        }
    if (compares) return comparison(how, left, right, place);
    if (pointers) return pointer_arithmetic(how, left, right, place);
    if (how == Operator::shl || how == Operator::shr) return shift(how, left, right, place);
    return arithmetic(how, left, right, place);
}

Expression* Parser::pointer_arithmetic(Operator how, E* left, E* right, const Place& place) {
    if (how == Operator::add && left->type->is_pointer()) return offset(left, right, false, place);
    if (how == Operator::add) return offset(right, left, false, place);
    if (how == Operator::sub && left->type->is_pointer() && !right->type->is_pointer())
        return offset(left, right, true, place);
    if (how == Operator::sub && left->type->is_pointer() && right->type->is_pointer() &&
        left->type->element == right->type->element)
        return make(Kind::difference, types_.scalar(Scalar::long_), place, {left, right});
    error(place,
          fmt::format("'{}' of a {} and a {}", sign_of(how), left->type->name, right->type->name));
    return broken(place);
}

Expression* Parser::offset(E* pointer, E* by, bool minus, const Place& place) {
    if (!by->type->is_scalar() || !by->type->is_integral()) {
        error(by->place, fmt::format("an index must be an integer, this is a {}", by->type->name),
              "Write (int)value");
        return broken(place);
    }
    if (pointer->type->element->is_void()) {
        error(place, "a pointer to void has no elements", "Cast it to another pointer first");
        return broken(place);
    }
    by = to_arithmetic(by, types_.scalar(Scalar::long_));
    E* made = make(Kind::offset, pointer->type, place, {pointer, by});
    made->minus = minus;
    return made;
}

Expression* Parser::logical(Operator how, E* left, E* right, const Place& place) {
    left = value(left);
    right = value(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    if (left->type->is_vector() || right->type->is_vector()) {
        const char* sign = how == Operator::and_ ? "&&" : "||";
        if (!left->type->is_arithmetic() || !right->type->is_arithmetic()) {
            error(place,
                  fmt::format("'{}' of a {} and a {}", sign, left->type->name, right->type->name));
            return broken(place);
        }
        if (!common_vectors(left, right, place, sign)) return broken(place);
        for (E** of : {&left, &right})
            *of = binary_node(Operator::ne, *of, constant(types_.scalar(Scalar::int_), 0, place),
                              place);
        if (left->type == nullptr || right->type == nullptr) return broken(place);
        return arithmetic(how, left, right, place);
    }
    left = truth(left);
    right = truth(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    return make(how == Operator::and_ ? Kind::logical_and : Kind::logical_or,
                types_.scalar(Scalar::int_), place, {left, right});
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

Expression* Parser::unary_node(Operator how, E* of, const Place& place) {
    if (of->type == nullptr) return broken(place);
    const Type* int_type = types_.scalar(Scalar::int_);
    if (how == Operator::not_) {
        if (of->type->is_vector() || of->type->is_pointer())
            return binary_node(Operator::eq, of, constant(int_type, 0, place), place);
        of = truth(of);
        if (of->type == nullptr) return of;
        return binary_node(Operator::eq, of, constant(int_type, 0, place), place);
    }
    if (!of->type->is_arithmetic() || (how == Operator::complement && of->type->is_floating())) {
        error(place, fmt::format("'{}' of a {}", sign_of(how), of->type->name));
        return broken(place);
    }
    of = promoted(of);
    E* made = make(Kind::unary, of->type, place, {of});
    made->operator_ = how;
    if (const auto bits = constant_of(*made); bits && of->kind == Kind::constant)
        return constant(made->type, *bits, place);
    return made;
}

Expression* Parser::choose(E* condition, E* yes, E* no, const Place& place) {
    condition = value(condition);
    yes = value(yes);
    no = value(no);
    if (condition->type == nullptr || yes->type == nullptr || no->type == nullptr)
        return broken(place);
    const bool numbers = yes->type->is_arithmetic() && no->type->is_arithmetic();
    if (numbers && condition->type->is_vector() && yes->type->is_scalar() &&
        no->type->is_scalar()) {
        const Type* wide =
            types_.vector(common(yes->type, no->type)->scalar, condition->type->width);
        yes = to_arithmetic(yes, wide);
        no = to_arithmetic(no, wide);
    }
    if (numbers && (yes->type->is_vector() || no->type->is_vector())) {
        if (!common_vectors(yes, no, place, "?:")) return broken(place);
    } else if (numbers) {
        const Type* type = yes->type == no->type && condition->type->is_vector()
                               ? yes->type
                               : common(yes->type, no->type);
        yes = to_arithmetic(yes, type);
        no = to_arithmetic(no, type);
    } else if (yes->type->is_pointer() && no->type->is_pointer() &&
               yes->type->space == no->type->space) {
        if (yes->type->element != no->type->element) no = cast(no, yes->type, place);
        if (no->type->to_const && !yes->type->to_const) yes = cast(yes, no->type, place);
    } else if (yes->type->is_pointer() && no->kind == Kind::constant && no->bits == 0) {
        no = cast(no, yes->type, place);
    } else if (no->type->is_pointer() && yes->kind == Kind::constant && yes->bits == 0) {
        yes = cast(yes, no->type, place);
    } else if (yes->type != no->type) {
        error(place,
              fmt::format("'?' chooses between a {} and a {}", yes->type->name, no->type->name),
              "Both must be of one type");
        return broken(place);
    }
    if (condition->type->is_vector()) return select_call("?:", {no, yes, condition}, place);
    condition = truth(condition);
    if (condition->type == nullptr) return condition;
    return make(Kind::conditional, yes->type, place, {condition, yes, no});
}

bool Parser::writable(const E* to, const char* doing) {
    if (to->type == nullptr) return false;
    if (!to->lvalue || to->type->is_array()) {
        error(to->place, fmt::format("this cannot be {}", doing),
              "Only variables, elements and members can");
        return false;
    }
    if (to->is_const) {
        const std::string name = to->kind == Kind::variable
                                     ? fmt::format("'{}' is const and", to->variable->name)
                                     : "this is const and";
        error(to->place, fmt::format("{} cannot be {}", name, doing),
              to->space == Space::constant ? "Constant memory can only be read"
                                           : "Leave 'const' away");
        return false;
    }
    const E* root = to;
    while (root->kind == Kind::member || root->kind == Kind::swizzle)
        root = root->operands[0];
    if (root->kind == Kind::variable && root->variable != nullptr)
        const_cast<Variable*>(root->variable)->is_assigned = true;
    return true;
}

Expression* Parser::assign(E* to, E* from, const Place& place) {
    if (!writable(to, "assigned to") || from->type == nullptr) return broken(place);
    if (to->type->is_structure()) {
        if (from->type != to->type) {
            error(place,
                  fmt::format("a {} cannot be assigned a {}", to->type->name, from->type->name));
            return broken(place);
        }
    } else {
        from = convert(from, to->type, "assign");
        if (from->type == nullptr) return broken(place);
    }
    E* made = make(Kind::assign, to->type, place, {to, from});
    made->space = to->space;
    return made;
}

Expression* Parser::compound(Operator how, E* to, E* from, const Place& place) {
    from = value(from);
    if (!writable(to, "assigned to") || from->type == nullptr) return broken(place);
    if (to->type->is_pointer() && (how == Operator::add || how == Operator::sub)) {
        E* by = offset(to, from, false, place);
        if (by->type == nullptr) return by;
        E* made = make(Kind::compound, to->type, place, {to, by->operands[1]});
        made->operator_ = how;
        made->compute = to->type;
        return made;
    }
    // The types are those of to + from; a copy stands for what is read.
    E* read = make(Kind::variable, to->type, to->place);
    E* result = binary_node(how, read, from, place);
    if (result->type == nullptr) return result;
    if ((to->type->is_scalar() && result->type->is_vector()) || result->type->is_pointer()) {
        error(place,
              fmt::format("a {} cannot be assigned a {}", to->type->name, result->type->name));
        return broken(place);
    }
    E* made = make(Kind::compound, to->type, place, {to, result->operands[1]});
    made->operator_ = how;
    made->compute = result->type;
    return made;
}

Expression* Parser::increment(E* of, bool prefix, bool minus, const Place& place) {
    if (!writable(of, minus ? "decremented" : "incremented")) return broken(place);
    if (!of->type->in_registers()) {
        error(place, fmt::format("'{}' of a {}", minus ? "--" : "++", of->type->name));
        return broken(place);
    }
    E* made = make(Kind::increment, of->type, place, {of});
    made->prefix = prefix;
    made->minus = minus;
    return made;
}

Expression* Parser::dereference(E* of, const Place& place) {
    if (of->type == nullptr) return broken(place);
    if (!of->type->is_pointer() || of->type->element->is_void()) {
        error(place,
              fmt::format("a {} points to nothing that can be read or written", of->type->name),
              of->type->is_pointer() ? "Cast it to another pointer first"
                                     : "Only pointers have * and ->");
        return broken(place);
    }
    E* made = make(Kind::dereference, of->type->element, place, {of});
    made->lvalue = true;
    made->is_const = of->type->to_const;
    made->space = of->type->space;
    return made;
}

Expression* Parser::address(E* of, const Place& place) {
    if (of->type == nullptr) return broken(place);
    if (!of->lvalue || of->kind == Kind::swizzle) {
        error(place, "this has no address",
              of->kind == Kind::swizzle ? "Copy the component to a variable" : "");
        return broken(place);
    }
    const E* root = of;
    while (root->kind == Kind::member)
        root = root->operands[0];
    if (root->kind == Kind::variable) const_cast<Variable*>(root->variable)->in_memory = true;
    return make(Kind::address, types_.pointer(of->type, of->space, of->is_const), place, {of});
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
