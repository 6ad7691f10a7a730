// What each operation makes of its operands' types (OpenCL C 1.2, sections 6.2 and 6.3).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/tree/operator_sign.h"
#include "lang/tree/parser.h"

namespace lab::lang {

const char* sign_of(Operator how) {
    static constexpr std::array<const char*, 19> kSigns{
        "+",  "-",  "*", "/",  "%", "<<", ">>", "&", "|", "^",
        "==", "!=", "<", "<=", ">", ">=", "-",  "~", "!"};
    return kSigns[static_cast<std::size_t>(how)];
}

namespace {

constexpr std::uint32_t kDeepestExpression = 1000;

bool integers_only(Operator how) {
    return how == Operator::rem || how == Operator::shl || how == Operator::shr ||
           how == Operator::and_ || how == Operator::or_ || how == Operator::xor_;
}

using Kind = Expression::Kind;

}  // namespace

Expression* Parser::make(Kind kind, const Type* type, const Place& place,
                         std::vector<const E*> operands) {
    tree_.expressions.emplace_back();
    E& expr = tree_.expressions.back();
    expr.kind = kind;
    expr.type = type;
    expr.place = place;
    expr.operands = std::move(operands);
    for (const E* of : expr.operands)
        expr.depth = std::max(expr.depth, of->depth + 1);
    if (expr.depth > kDeepestExpression) {
        error(place,
              fmt::format("the expression has more than {} parts, one in another",
                          kDeepestExpression),
              "Split it by variables");
        throw Recover();
    }
    return &expr;
}

Expression* Parser::broken(const Place& place) {
    return make(Kind::constant, nullptr, place);
}

Expression* Parser::constant(const Type* type, std::uint64_t bits, const Place& place) {
    E* expr = make(Kind::constant, type, place);
    expr->bits = bits;
    return expr;
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
    const Type* type = left->type;
    left = widened(left);
    right = widened(right);
    E* expr = make(Kind::binary, left->type, place, {left, right});
    expr->operator_ = how;
    return to_arithmetic(expr, type);
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
    E* expr = make(Kind::binary, left->type, place, {left, right});
    expr->operator_ = how;
    return expr;
}

Expression* Parser::comparison(Operator how, E* left, E* right, const Place& place) {
    const Type* int_type = types_.scalar(Scalar::int_);
    if (left->type->is_pointer() || right->type->is_pointer()) {
        E* expr = make(Kind::binary, int_type, place, {left, right});
        expr->operator_ = how;
        const auto null = [](const E* of) {
            return of->type->is_pointer() || (of->kind == Kind::constant && of->bits == 0);
        };
        if (null(left) && null(right)) return expr;
        error(place, fmt::format("'{}' of a {} and a {}", sign_of(how), left->type->name,
                                 right->type->name));
        return broken(place);
    }
    const bool halves = left->type->is_half() || right->type->is_half();
    E* pair = arithmetic(Operator::add, widened(left), widened(right), place);  // to convert them
    if (pair->type == nullptr) return pair;
    pair->operator_ = how;
    pair->type = mask_of(pair->type);
    if (halves && pair->type->is_vector() && pair->operands[0]->type->scalar == Scalar::float_)
        return to_arithmetic(pair, types_.vector(Scalar::short_, pair->type->width));
    return pair;
}

Expression* Parser::binary_node(Operator how, E* left, E* right, const Place& place) {
    left = value(left);
    right = value(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    const bool compares = how >= Operator::eq && how <= Operator::ge;
    const bool pointers = left->type->is_pointer() || right->type->is_pointer();
    for (const E* expr : {left, right})
        if (!expr->type->is_arithmetic() && !expr->type->is_pointer()) {
            error(place, fmt::format("'{}' of a {}", sign_of(how), expr->type->name));
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

Expression* Parser::offset(E* pointer, E* expr, bool minus, const Place& place) {
    if (!expr->type->is_scalar() || !expr->type->is_integral()) {
        error(expr->place,
              fmt::format("an index must be an integer, this is a {}", expr->type->name),
              "Write (int)value");
        return broken(place);
    }
    if (pointer->type->element->is_void()) {
        error(place, "a pointer to void has no elements", "Cast it to another pointer first");
        return broken(place);
    }
    expr = to_arithmetic(expr, types_.scalar(Scalar::long_));
    E* result = make(Kind::offset, pointer->type, place, {pointer, expr});
    result->minus = minus;
    return result;
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
        for (E** expr : {&left, &right})
            *expr = binary_node(Operator::ne, *expr,
                                constant(types_.scalar(Scalar::int_), 0, place), place);
        if (left->type == nullptr || right->type == nullptr) return broken(place);
        return arithmetic(how, left, right, place);
    }
    left = truth(left);
    right = truth(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    return make(how == Operator::and_ ? Kind::logical_and : Kind::logical_or,
                types_.scalar(Scalar::int_), place, {left, right});
}

Expression* Parser::unary_node(Operator how, E* expr, const Place& place) {
    if (expr->type == nullptr) return broken(place);
    const Type* int_type = types_.scalar(Scalar::int_);
    if (how == Operator::not_) {
        if (expr->type->is_vector() || expr->type->is_pointer())
            return binary_node(Operator::eq, expr, constant(int_type, 0, place), place);
        expr = truth(expr);
        if (expr->type == nullptr) return expr;
        return binary_node(Operator::eq, expr, constant(int_type, 0, place), place);
    }
    if (!expr->type->is_arithmetic() ||
        (how == Operator::complement && expr->type->is_floating())) {
        error(place, fmt::format("'{}' of a {}", sign_of(how), expr->type->name));
        return broken(place);
    }
    expr = promoted(expr);
    if (expr->type->is_half()) {
        const Type* type = expr->type;
        return to_arithmetic(unary_node(how, widened(expr), place), type);
    }
    E* result = make(Kind::unary, expr->type, place, {expr});
    result->operator_ = how;
    if (const auto bits = constant_of(*result); bits && expr->kind == Kind::constant)
        return constant(result->type, *bits, place);
    return result;
}

Expression* Parser::choose(E* condition, E* yes, E* no, const Place& place) {
    condition = value(condition);
    yes = value(yes);
    no = value(no);
    if (condition->type == nullptr || yes->type == nullptr || no->type == nullptr)
        return broken(place);
    if (condition->type->is_floating()) {  // OpenCL C 1.2, 6.3.i
        error(condition->place,
              fmt::format("'?' asks a {}, but takes an integer or a comparison",
                          condition->type->name),
              "Compare it: x != 0 ? a : b");
        return broken(place);
    }
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
    } else if (yes->type->is_pointer() && no->type->is_pointer() && meet(yes, no)) {
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
    E* expr = make(Kind::conditional, yes->type, place, {condition, yes, no});
    expr->space = yes->space;  // of a structure
    return expr;
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
    if (to->kind == Kind::variable && to->variable != nullptr && to->variable->any_space &&
        !to->variable->is_argument) {
        take_space(const_cast<Variable&>(*to->variable), from = value(from));
        to->type = to->variable->type;
    } else if (to->kind == Kind::variable && to->variable != nullptr) {
        from = elsewhere(*to->variable, from);
    }
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
    E* expr = make(Kind::assign, to->type, place, {to, from});
    expr->space = to->space;
    return expr;
}

Expression* Parser::compound(Operator how, E* to, E* from, const Place& place) {
    from = value(from);
    if (!writable(to, "assigned to") || from->type == nullptr) return broken(place);
    if (to->type->is_pointer() && (how == Operator::add || how == Operator::sub)) {
        E* expr = offset(to, from, false, place);
        if (expr->type == nullptr) return expr;
        E* result = make(Kind::compound, to->type, place, {to, expr->operands[1]});
        result->operator_ = how;
        result->compute = to->type;
        return result;
    }
    // The types are those of to + from; a copy stands for what is read.
    E* read = make(Kind::variable, to->type, to->place);
    E* result = binary_node(how, read, from, place);
    if (result->type == nullptr) return result;
    if (result->kind == Kind::convert) result = const_cast<E*>(result->operands[0]);  // of halves
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

Expression* Parser::increment(E* expr, bool prefix, bool minus, const Place& place) {
    if (!writable(expr, minus ? "decremented" : "incremented")) return broken(place);
    if (!expr->type->in_registers()) {
        error(place, fmt::format("'{}' of a {}", minus ? "--" : "++", expr->type->name));
        return broken(place);
    }
    if (expr->type->is_half() && prefix)
        return compound(minus ? Operator::sub : Operator::add, expr,
                        constant(types_.scalar(Scalar::int_), 1, place), place);
    E* result = make(Kind::increment, expr->type, place, {expr});
    result->prefix = prefix;
    result->minus = minus;
    return result;
}

Expression* Parser::dereference(E* expr, const Place& place) {
    if (expr->type == nullptr) return broken(place);
    if (!expr->type->is_pointer() || expr->type->element->is_void()) {
        error(place,
              fmt::format("a {} points to nothing that can be read or written", expr->type->name),
              expr->type->is_pointer() ? "Cast it to another pointer first"
                                       : "Only pointers have * and ->");
        return broken(place);
    }
    E* result = make(Kind::dereference, expr->type->element, place, {expr});
    result->lvalue = true;
    result->is_const = expr->type->to_const;
    result->space = expr->type->space;
    return result;
}

Expression* Parser::address(E* expr, const Place& place) {
    if (expr->type == nullptr) return broken(place);
    if (!expr->lvalue || expr->kind == Kind::swizzle) {
        error(place, "this has no address",
              expr->kind == Kind::swizzle ? "Copy the component to a variable" : "");
        return broken(place);
    }
    const E* root = expr;
    while (root->kind == Kind::member)
        root = root->operands[0];
    if (root->kind == Kind::variable) const_cast<Variable*>(root->variable)->in_memory = true;
    return make(Kind::address, types_.pointer(expr->type, expr->space, expr->is_const), place,
                {expr});
}

}  // namespace lab::lang
