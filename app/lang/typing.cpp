// What each operation makes of its operands' types (OpenCL C 1.2, sections 6.2 and 6.3).
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "base/text.h"
#include "lang/parser.h"

namespace lab::lang {

const char* sign_of(Operator how) {
    static constexpr std::array<const char*, 19> kSigns{
        "+",  "-",  "*", "/",  "%", "<<", ">>", "&", "|", "^",
        "==", "!=", "<", "<=", ">", ">=", "-",  "~", "!"};
    return kSigns[static_cast<std::size_t>(how)];
}

constexpr std::uint32_t kDeepestExpression = 1000;  // operators in each other; deeper is refused

static bool integers_only(Operator how) {
    return how == Operator::rem || how == Operator::shl || how == Operator::shr ||
           how == Operator::and_ || how == Operator::or_ || how == Operator::xor_;
}

namespace {
using Kind = Expression::Kind;
}

std::string not_known(const Type& open) {
    return fmt::format("the members of '{}' are not known here", open.name);
}

Expression* Parser::make(Kind kind, const Type* type, const Place& place,
                         std::vector<const E*> operands) {
    E& expr = tree_.expressions.emplace_back();
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

Expression* Parser::broken(const Place& place, std::string message, std::string hint) {
    error(place, std::move(message), std::move(hint));
    return broken(place);
}

Expression* Parser::not_of(const char* sign, const E* left, const E* right, const Place& place,
                           std::string hint) {
    return broken(place,
                  fmt::format("'{}' of a {} and a {}", sign, left->type->name, right->type->name),
                  std::move(hint));
}

Expression* Parser::named(const Variable& variable, const Place& place) {
    E* expr = make(Kind::variable, variable.type, place);
    expr->variable = &variable;
    expr->lvalue = true;
    expr->is_const = variable.is_const;
    expr->space = variable.space;
    return expr;
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
    if (integers_only(how) && left->type->is_floating())
        return broken(place, fmt::format("'{}' of a {}", sign_of(how), left->type->name),
                      how == Operator::rem ? "Write fmod(a, b)" : "It is for integers only");
    const Type* type = left->type;
    left = widened(left);
    right = widened(right);
    E* expr = make(Kind::binary, left->type, place, {left, right});
    expr->operator_ = how;
    return to_arithmetic(expr, type);
}

Expression* Parser::shift(Operator how, E* left, E* right, const Place& place) {
    if (left->type->is_floating() || right->type->is_floating())
        return broken(place,
                      fmt::format("'{}' of a {}", sign_of(how),
                                  (left->type->is_floating() ? left : right)->type->name),
                      "It is for integers only");
    left = promoted(left);
    if (left->type->is_vector() && right->type->is_scalar())
        right = to_arithmetic(right, left->type);
    else if (right->type->is_vector() && left->type->width != right->type->width) {
        return broken(place, fmt::format("'{}' of a {} by a {}", sign_of(how), left->type->name,
                                         right->type->name));
    } else
        right = promoted(right);
    E* expr = make(Kind::binary, left->type, place, {left, right});
    expr->operator_ = how;
    return expr;
}

Expression* Parser::comparison(Operator how, E* left, E* right, const Place& place) {
    if (left->type->is_pointer() || right->type->is_pointer()) {
        E* expr = make(Kind::binary, truth_type(), place, {left, right});
        expr->operator_ = how;
        const auto null = [](const E* of) {
            return of->type->is_pointer() || (of->kind == Kind::constant && of->bits == 0);
        };
        if (null(left) && null(right)) return expr;
        return not_of(sign_of(how), left, right, place);
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
    for (const E* expr : {left, right})
        if (!expr->type->is_arithmetic() && !expr->type->is_pointer())
            return broken(place, fmt::format("'{}' of a {}", sign_of(how), expr->type->name));
    if (how >= Operator::eq && how <= Operator::ge) return comparison(how, left, right, place);
    if (left->type->is_pointer() || right->type->is_pointer())
        return pointer_arithmetic(how, left, right, place);
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
    return not_of(sign_of(how), left, right, place);
}

Expression* Parser::offset(E* pointer, E* expr, bool minus, const Place& place) {
    if (!expr->type->is_scalar() || !expr->type->is_integral())
        return broken(expr->place,
                      fmt::format("an index must be an integer, this is a {}", expr->type->name),
                      "Write (int)value");
    if (pointer->type->element->is_void())
        return broken(place, "a pointer to void has no elements",
                      "Cast it to another pointer first");
    if (is_open(*pointer->type->element))
        return broken(place, not_known(*pointer->type->element),
                      "Give its members before this line");
    expr = to_arithmetic(expr, types_.scalar(Scalar::long_));
    E* result = make(Kind::offset, pointer->type, place, {pointer, expr});
    result->minus = minus;
    return result;
}

// What it is compared with: a vector takes no int where its components are less.
Expression* Parser::zero_of(const E& expr) {
    const bool vector = expr.type->is_vector();
    return constant(types_.scalar(vector ? expr.type->scalar : Scalar::int_), 0, expr.place);
}

Expression* Parser::logical(Operator how, E* left, E* right, const Place& place) {
    left = value(left);
    right = value(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    if (left->type->is_vector() || right->type->is_vector()) {
        const char* sign = how == Operator::and_ ? "&&" : "||";
        if (!left->type->is_arithmetic() || !right->type->is_arithmetic())
            return not_of(sign, left, right, place);
        if (!common_vectors(left, right, place, sign)) return broken(place);
        for (E** expr : {&left, &right})
            *expr = binary_node(Operator::ne, *expr, zero_of(**expr), place);
        if (left->type == nullptr || right->type == nullptr) return broken(place);
        return arithmetic(how, left, right, place);
    }
    left = truth(left);
    right = truth(right);
    if (left->type == nullptr || right->type == nullptr) return broken(place);
    return make(how == Operator::and_ ? Kind::logical_and : Kind::logical_or, truth_type(), place,
                {left, right});
}

Expression* Parser::unary_node(Operator how, E* expr, const Place& place) {
    if (expr->type == nullptr) return broken(place);
    if (how == Operator::not_) {
        if (!expr->type->is_vector() && !expr->type->is_pointer()) expr = truth(expr);
        if (expr->type == nullptr) return expr;
        return binary_node(Operator::eq, expr, zero_of(*expr), place);
    }
    if (!expr->type->is_arithmetic() || (how == Operator::complement && expr->type->is_floating()))
        return broken(place, fmt::format("'{}' of a {}", sign_of(how), expr->type->name));
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
    if (host_ != nullptr && condition->type->is_scalar()) condition = truth(condition);
    if (condition->type->is_floating()) {  // OpenCL C 1.2, 6.3.i
        return broken(condition->place,
                      fmt::format("'?' asks a {}, but takes an integer or a comparison",
                                  condition->type->name),
                      "Compare it: x != 0 ? a : b");
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
        const bool as_they_are = host_ != nullptr || condition->type->is_vector();
        const Type* type =
            as_they_are && yes->type == no->type ? yes->type : common(yes->type, no->type);
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
        return broken(
            place,
            fmt::format("'?' chooses between a {} and a {}", yes->type->name, no->type->name),
            "Both must be of one type");
    }
    if (condition->type->is_vector())
        return typed(place, [&] {
            Call select{{}, "?:", {no, yes, condition}, place};
            return select_call(select);
        });
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
    if (root->kind == Kind::variable && root->variable != nullptr &&
        root->variable->at_file_scope && to->type->is_pointer() &&
        root->variable->initial != nullptr && !constant_of(*root->variable->initial)) {
        error(to->place,
              fmt::format("'{}' stands for the address that it is given, as it is outside of "
                          "functions",
                          root->variable->name),
              "Assign a pointer of a function");
        return false;
    }
    if (root->kind == Kind::variable && root->variable != nullptr)
        const_cast<Variable*>(root->variable)->is_assigned = true;
    return true;
}

// The member of atomic_ref that does it; none for others, such as *.
static std::string_view fetch_name(Operator how) {
    switch (how) {
        case Operator::add:
            return "fetch_add";
        case Operator::sub:
            return "fetch_sub";
        case Operator::and_:
            return "fetch_and";
        case Operator::or_:
            return "fetch_or";
        case Operator::xor_:
            return "fetch_xor";
        default:
            return "fetch_…";
    }
}

Expression* Parser::assign(E* to, E* from, const Place& place) {
    if (E* ref = atomic_in(to))
        return typed(place, [&] { return atomic_member(ref, "store", {from}, place); });
    if (!writable(to, "assigned to") || from->type == nullptr) return broken(place);
    if (to->kind == Kind::variable && to->variable != nullptr && to->variable->any_space &&
        !to->variable->is_argument) {
        take_space(const_cast<Variable&>(*to->variable), from = value(from));
        to->type = to->variable->type;
    } else if (to->kind == Kind::variable && to->variable != nullptr) {
        from = elsewhere(*to->variable, from);
    }
    if (to->type->is_structure()) {
        from = based(from, to->type);
        if (from->type != to->type)
            return broken(place, fmt::format("a {} cannot be assigned a {}", to->type->name,
                                             from->type->name));
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
    if (E* ref = atomic_in(to))  // of no value: that is before or after
        return typed(place, [&] {
            return cast(atomic_member(ref, fetch_name(how), {from}, place),
                        types_.scalar(Scalar::void_), place);
        });
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
    if ((to->type->is_scalar() && result->type->is_vector()) || result->type->is_pointer())
        return broken(
            place, fmt::format("a {} cannot be assigned a {}", to->type->name, result->type->name));
    E* made = make(Kind::compound, to->type, place, {to, result->operands[1]});
    made->operator_ = how;
    made->compute = result->type;
    return made;
}

Expression* Parser::increment(E* expr, bool prefix, bool minus, const Place& place) {
    const Operator how = minus ? Operator::sub : Operator::add;
    if (E* ref = atomic_in(expr))
        return typed(place, [&] {
            E* one = constant(types_.scalar(Scalar::int_), 1, place);
            E* before = atomic_member(ref, fetch_name(how), {one}, place);
            return prefix ? binary_node(how, before, one, place) : before;
        });
    if (!writable(expr, minus ? "decremented" : "incremented")) return broken(place);
    if (!expr->type->in_registers())
        return broken(place, fmt::format("'{}' of a {}", minus ? "--" : "++", expr->type->name));
    if (expr->type->is_half() && prefix)
        return compound(how, expr, constant(types_.scalar(Scalar::int_), 1, place), place);
    E* result = make(Kind::increment, expr->type, place, {expr});
    result->prefix = prefix;
    result->minus = minus;
    return result;
}

Expression* Parser::dereference(E* expr, const Place& place) {
    if (expr->type == nullptr) return broken(place);
    if (!expr->type->is_pointer() || expr->type->element->is_void())
        return broken(
            place,
            fmt::format("a {} points to nothing that can be read or written", expr->type->name),
            expr->type->is_pointer() ? "Cast it to another pointer first"
                                     : "Only pointers have * and ->");
    if (is_open(*expr->type->element))
        return broken(place, not_known(*expr->type->element), "Give its members before this line");
    E* result = make(Kind::dereference, expr->type->element, place, {expr});
    result->lvalue = true;
    result->is_const = expr->type->to_const;
    result->space = expr->type->space;
    return result;
}

Expression* Parser::address(E* expr, const Place& place) {
    if (expr->type == nullptr) return broken(place);
    if (!expr->lvalue || expr->kind == Kind::swizzle)
        return broken(place, "this has no address",
                      expr->kind == Kind::swizzle ? "Copy the component to a variable" : "");
    const E* root = expr;
    while (root->kind == Kind::member)
        root = root->operands[0];
    if (root->kind == Kind::variable) {
        auto* variable = const_cast<Variable*>(root->variable);
        variable->in_memory = variable->is_pointed_to = true;
    }
    return make(Kind::address, types_.pointer(expr->type, expr->space, expr->is_const), place,
                {expr});
}

// From one type to another, asked for or not (OpenCL C 1.2, section 6.2).
Expression* Parser::value(E* expr) {
    if (expr->type != nullptr && expr->lvalue && is_atomic_object(*expr->type))
        return typed(expr->place,
                     [&] { return atomic_member(atomic_in(expr), "load", {}, expr->place); });
    if (host_ != nullptr && expr->type != nullptr && expr->type->is_structure())
        return converted_by_own(expr);
    if (expr->type == nullptr || !expr->type->is_array()) return expr;
    E* result = make(Kind::decay, types_.pointer(expr->type->element, expr->space, expr->is_const),
                     expr->place, {expr});
    if (expr->kind == Kind::variable) {
        auto* variable = const_cast<Variable*>(expr->variable);
        variable->in_memory = variable->is_pointed_to = true;
    }
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
        const bool is_constant = expr->kind == Kind::constant;
        expr = make(Kind::convert, own, expr->place, {expr});
        if (const auto bits = is_constant ? constant_of(*expr) : std::nullopt)
            expr = constant(own, *bits, expr->place);
    }
    if (expr->type == to) return expr;
    // The same bits of a class, or a scalar for every component.
    return make(to->is_scalar() ? Kind::convert : Kind::build, to, expr->place, {expr});
}

// An operand as a hint repeats it.
static std::string short_text(const Expression& argument) {
    if (argument.kind == Kind::variable && argument.variable != nullptr)
        return argument.variable->name;
    if (argument.kind == Kind::constant && argument.type->is_integral())
        return std::to_string(static_cast<std::int64_t>(argument.bits));
    return "(…)";
}

// Gives two operands of which one is a vector the same type; false after an error.
bool Parser::common_vectors(E*& left, E*& right, const Place& place, const char* doing) {
    E*& narrow = left->type->is_vector() ? right : left;
    const E* wide = left->type->is_vector() ? left : right;
    if (narrow->type == wide->type) return true;
    if (narrow->type->is_vector()) {
        not_of(doing, left, right, place,
               fmt::format("Vectors must be of one type: write convert_{}( )", wide->type->name));
        return false;
    }
    if (narrow->type->scalar > wide->type->scalar) {  // the order of Scalar is that of ranks
        error(place,
              fmt::format("a {} does not fit the components of a {}", narrow->type->name,
                          wide->type->name),
              fmt::format("Write ({}){}", info(wide->type->scalar).name, short_text(*narrow)));
        return false;
    }
    narrow = to_arithmetic(narrow, wide->type);
    return true;
}

// Of comparisons, && and ||: an int in C, a bool in C++.
const Type* Parser::truth_type() {
    return types_.scalar(host_ == nullptr ? Scalar::int_ : Scalar::bool_);
}

const Type* Parser::mask_of(const Type* type) {
    if (type->is_scalar()) return truth_type();
    return types_.vector(integer_of(info(type->scalar).bytes, true), type->width);
}

// A scalar or pointer as a condition: 0, or anything else.
Expression* Parser::truth(E* expr) {
    expr = value(expr);
    if (expr->type == nullptr || expr->type->is_pointer()) return expr;
    if (!expr->type->is_scalar())
        return broken(expr->place,
                      fmt::format("a condition must be a number, this is a {}", expr->type->name),
                      expr->type->is_vector() ? "Write any( ) or all( )" : "");
    if (!expr->type->is_floating()) return expr;
    return binary_node(Operator::ne, expr, constant(types_.scalar(Scalar::int_), 0, expr->place),
                       expr->place);
}

Expression* Parser::cast(E* expr, const Type* to, const Place& place) {
    expr = value(expr);
    if (expr->type == nullptr) return broken(place);
    if (to->is_void()) return make(Kind::comma, to, place, {expr});
    if (expr->type == to) return make(Kind::convert, to, place, {expr});  // no lvalue any more
    const bool integers = expr->type->is_scalar() && expr->type->is_integral();
    if (to->is_pointer() && expr->type->is_pointer()) {
        if (reaches(to->space, expr->type->space)) return make(Kind::convert, to, place, {expr});
        return broken(place, fmt::format("a {} cannot become a {}", expr->type->name, to->name),
                      fmt::format("It points to {} memory: write {} before the type in the cast",
                                  name_of(expr->type->space), name_of(expr->type->space)));
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
    return broken(place, fmt::format("a {} cannot become a {}", expr->type->name, to->name),
                  to->is_vector() && expr->type->is_vector()
                      ? fmt::format("Write convert_{}( ) or as_{}( )", to->name, to->name)
                      : "");
}

Expression* Parser::convert(E* expr, const Type* to, const char* doing) {
    expr = value(expr);
    if (expr->type == nullptr || expr->type == to) return expr;
    if (is_atomic_ref(*expr->type) && to->is_scalar())
        expr = typed(expr->place, [&] { return atomic_member(expr, "load", {}, expr->place); });
    if (expr->type == nullptr) return expr;
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
    return broken(
        expr->place,
        fmt::format("cannot {} a {} where a {} is needed", doing, expr->type->name, to->name),
        spaces
            ? fmt::format("This points to {} memory: the other must be a pointer to {} memory too",
                          name_of(expr->type->space), name_of(expr->type->space))
        : to->is_vector() && expr->type->is_vector()
            ? fmt::format("Write convert_{}( ) or as_{}( )", to->name, to->name)
            : "");
}

// Arithmetic of halves: as floats, rounded to half after each operation. A float has more than
// twice the digits of a half, so that this gives the nearest half to the exact result.

// A half as a float; anything else as it is.
Expression* Parser::widened(E* expr) {
    if (expr->type == nullptr || !expr->type->is_half()) return expr;
    return to_arithmetic(expr, types_.vector(Scalar::float_, expr->type->width));
}

// Whether a call takes halves and computes with them, rather than moving their bits.
bool Parser::computes_wider(const Call& call) {
    constexpr std::array kWider{Builtin::min,           Builtin::max,    Builtin::dot,
                                Builtin::cross,         Builtin::length, Builtin::distance,
                                Builtin::normalize,     Builtin::reduce, Builtin::scan_inclusive,
                                Builtin::scan_exclusive};
    const bool computes = call.known.builtin == Builtin::pure
                              ? call.known.signature != Signature::same
                              : contains(kWider, call.known.builtin);
    return computes && any_of(call.given, [](const E* each) { return each->type->is_half(); });
}

// Of halves and numbers of less rank it is a half.
Expression* Parser::half_call(Call& call) {
    // As floats they would be rounded twice, or be other numbers.
    constexpr std::array kOfHalves{Fn::fma, Fn::nextafter, Fn::isnormal};
    bool halves = true;
    if (!call.known.single && has_overloads(call, call.given.size()))
        for (const E* each : call.given)
            for (const E* other : call.given)
                if (each->type->is_half() && other->type->is_floating() && !other->type->is_half())
                    refuse_unlike(call, each->type, other->type);
    for (E*& each : call.given) {
        halves = halves && (each->type->is_half() || !each->type->is_floating());
        each = widened(each);
    }
    E* result = builtin_call(call);
    if (!halves || call.known.single) return result;
    const std::uint8_t width = result->type->width;
    const Type* type = result->type->is_floating() ? types_.vector(Scalar::half_, width)
                       : call.known.signature == Signature::question && width > 1
                           ? types_.vector(Scalar::short_, width)
                           : result->type;
    if (!contains(kOfHalves, call.known.fn)) return to_arithmetic(result, type);
    result->type = type;
    for (const E*& each : result->operands) {
        const bool wide = each->kind == Kind::convert && each->operands[0]->type->is_half();
        each = wide ? each->operands[0]
                    : to_arithmetic(const_cast<E*>(each), types_.vector(Scalar::half_, width));
    }
    return result;
}

// Calls of what OpenCL C brings along: which types they take, and what comes back.

void Parser::refuse(const Place& place, std::string message, std::string hint) {
    error(place, std::move(message), std::move(hint));
    throw Broken();
}

void Parser::take_count(const Call& call, std::size_t least, std::size_t most) {
    const std::size_t count = call.given.size();
    if (count >= least && count <= most) return;
    const std::string takes =
        least == most ? std::to_string(least) : fmt::format("{} or {}", least, most);
    refuse(call.place, fmt::format("'{}' takes {} argument{}, but {} {} given", call.name, takes,
                                   most == 1 ? "" : "s", count, count == 1 ? "is" : "are"));
}

Expression* Parser::made(const Call& call, const Type* type) {
    E* expr = make(Kind::builtin, type, call.place, {call.given.begin(), call.given.end()});
    expr->known = call.known;
    return expr;
}

void Parser::wrong_argument(const Call& call, const E* given, std::string_view takes) {
    refuse(given->place,
           fmt::format("'{}' takes {}, this is a {}", call.name, takes, given->type->name));
}

// Makes an integer among the arguments one of that type.
void Parser::take_integer(Call& call, std::size_t index, Scalar as, std::string_view takes) {
    E*& given = call.given[index];
    if (!given->type->is_scalar() || !given->type->is_integral())
        wrong_argument(call, given, takes);
    given = to_arithmetic(given, types_.scalar(as));
}

// Gives the first `count` arguments the type of the first that is a vector, or of the largest
// scalar, and returns it.
const Type* Parser::alike(Call& call, std::size_t count) {
    const Type* type = call.given[0]->type;
    for (std::size_t i = 0; i < count; ++i) {
        const Type* other = call.given[i]->type;
        if (!other->is_arithmetic()) wrong_argument(call, call.given[i], "numbers");
        if (type->is_vector() && other->is_vector() && type != other)
            refuse(call.given[i]->place,
                   fmt::format("'{}' takes arguments of one type, these are {} and {}", call.name,
                               type->name, other->name),
                   fmt::format("Write convert_{}( )", type->name));
        if (other->is_vector() || (!type->is_vector() && other->scalar > type->scalar))
            type = other;
    }
    for (std::size_t i = 0; i < count; ++i)
        call.given[i] = to_arithmetic(call.given[i], type);
    return call.given[0]->type;
}

int conversion_rank(Scalar from, Scalar to) {
    const bool promoted = (to == Scalar::int_ && !info(from).floating && info(from).bytes < 4) ||
                          (to == Scalar::double_ && from == Scalar::float_);
    return from == to ? 0 : promoted ? 1 : 2;
}

void Parser::refuse_unlike(const Call& call, const Type* one, const Type* other) {
    refuse(call.place,
           fmt::format("'{}' takes arguments of one type, these are {} and {}", call.name,
                       one->name, other->name),
           fmt::format("Write ({}) or ({}) before the other one: no compiler chooses between them",
                       one->name, other->name));
}

// Gives numbers, the first arguments, the types of the overload that fits best, as OpenCL's
// compilers choose it: none fits any argument better, and each other one fits some argument worse.
const Type* Parser::one_overload(Call& call, const std::vector<std::vector<Scalar>>& overloads) {
    const std::size_t count = overloads.front().size();
    const auto rank = [&](const std::vector<Scalar>& overload, std::size_t i) {
        return conversion_rank(call.given[i]->type->scalar, overload[i]);
    };
    const auto fits_better = [&](const std::vector<Scalar>& one, const std::vector<Scalar>& other) {
        bool better = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (rank(one, i) > rank(other, i)) return false;
            better = better || rank(one, i) < rank(other, i);
        }
        return better;
    };
    for (const std::vector<Scalar>& each : overloads) {
        if (!all_of(overloads,
                    [&](const auto& other) { return &other == &each || fits_better(each, other); }))
            continue;
        for (std::size_t i = 0; i < count; ++i)
            call.given[i] = to_arithmetic(call.given[i], types_.scalar(each[i]));
        return call.given[0]->type;
    }
    const E* first = call.given[0];
    const std::vector<Scalar>& takes = overloads.front();
    bool floats = false;  // among those that must be
    for (std::size_t i = 0; i < count; ++i)
        floats = floats || (info(takes[i]).floating && call.given[i]->type->is_floating());
    if (info(takes.front()).floating && !floats)
        refuse(first->place,
               fmt::format("'{}' takes floating-point numbers, this is a {}", call.name,
                           first->type->name),
               fmt::format("Write {}((float){}{}): no compiler chooses between float and double",
                           call.name, short_text(*first), call.given.size() > 1 ? ", …" : ""));
    const E* other = call.given[count - 1];
    for (std::size_t i = 0; i < count; ++i) {
        const E* each = call.given[i];
        if (each->type->is_floating() && !info(takes.back()).floating)
            wrong_argument(call, each, "integers");
        if (each->type != first->type) other = each;
    }
    refuse_unlike(call, first->type, other->type);
}

// Of the first `count` arguments. C++, and so CUDA, and vectors with scalars have more overloads.
bool Parser::has_overloads(const Call& call, std::size_t count) const {
    return host_ == nullptr &&
           std::all_of(call.given.begin(), call.given.begin() + static_cast<std::ptrdiff_t>(count),
                       [](const E* each) { return each->type->is_scalar(); });
}

// Gives the first `count` one floating type.
const Type* Parser::alike_floats(Call& call, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (!call.given[i]->type->is_arithmetic()) wrong_argument(call, call.given[i], "numbers");
    if (call.known.single) {
        for (std::size_t i = 0; i < count; ++i) {
            E*& given = call.given[i];
            if (given->type->is_vector() && given->type->scalar != Scalar::float_)
                wrong_argument(call, given, "float");
            if (given->type->is_scalar())
                given = to_arithmetic(given, types_.scalar(Scalar::float_));
        }
    } else if (has_overloads(call, count)) {
        return one_overload(
            call, {std::vector(count, Scalar::float_), std::vector(count, Scalar::double_)});
    }
    bool vectors = false;
    for (std::size_t i = 0; i < count; ++i)
        vectors = vectors || call.given[i]->type->is_vector();
    for (std::size_t i = 0; i < count; ++i) {
        E*& given = call.given[i];
        if (given->type->is_floating()) continue;
        if (vectors && given->type->is_vector())
            wrong_argument(call, given, "floating-point numbers");
        given = to_arithmetic(given, types_.scalar(Scalar::float_));
    }
    return alike(call, count);
}

// The same of overloads of one type each.
const Type* Parser::of_one_type(Call& call, bool floats) {
    if (call.given.size() < 2 || !has_overloads(call, call.given.size())) {
        for (E*& each : call.given) {
            if (!floats && each->type->is_floating()) wrong_argument(call, each, "integers");
            if (each->type->scalar == Scalar::bool_ || host_ != nullptr) each = promoted(each);
        }
        return alike(call, call.given.size());
    }
    std::vector<std::vector<Scalar>> overloads;
    for (const Scalar each :
         {Scalar::char_, Scalar::uchar, Scalar::short_, Scalar::ushort, Scalar::int_, Scalar::uint,
          Scalar::long_, Scalar::ulong, Scalar::float_, Scalar::double_})
        if (floats || !info(each).floating) overloads.emplace_back(call.given.size(), each);
    return one_overload(call, overloads);
}

Expression* Parser::pure_call(Call& call) {
    std::vector<E*>& given = call.given;
    for (const E* expr : given)
        if (!expr->type->is_arithmetic()) wrong_argument(call, expr, "numbers");
    const Type* result = nullptr;
    switch (call.known.signature) {
        case Signature::floats:
        case Signature::floats_scalars:
        case Signature::scalars_floats:
            result = alike_floats(call, given.size());
            break;
        case Signature::question:
            result = mask_of(alike_floats(call, given.size()));
            break;
        case Signature::float_int: {
            result = alike_floats(call, 1);
            const Type* integers = types_.vector(Scalar::int_, result->width);
            if ((given[1]->type->is_floating() &&
                 (host_ != nullptr || given[1]->type->is_vector())) ||
                (given[1]->type->is_vector() && given[1]->type->width != result->width))
                wrong_argument(call, given[1], fmt::format("an {} second", integers->name));
            given[1] = to_arithmetic(given[1], types_.vector(Scalar::int_, given[1]->type->width));
            given[1] = to_arithmetic(given[1], integers);
            break;
        }
        case Signature::float_to_int:
            result = types_.vector(Scalar::int_, alike_floats(call, 1)->width);
            break;
        case Signature::uint_to_float: {
            const Type& from = *given[0]->type;
            if (from.is_floating() ||
                (host_ == nullptr && (info(from.scalar).is_signed || info(from.scalar).bytes < 4)))
                wrong_argument(call, given[0], "uint or ulong");
            result = types_.vector(info(from.scalar).bytes == 8 ? Scalar::double_ : Scalar::float_,
                                   from.width);
            break;
        }
        case Signature::integers:
        case Signature::integers_24:
        case Signature::integer_to_unsigned: {
            const bool narrow = call.known.signature == Signature::integers_24;
            const bool sizes =
                all_of(given, [](const E* each) { return each->type->scalar == Scalar::ulong; });
            if (narrow && !sizes && has_overloads(call, given.size())) {
                result = one_overload(call, {std::vector(given.size(), Scalar::int_),
                                             std::vector(given.size(), Scalar::uint)});
                break;
            }
            result = of_one_type(call, false);
            if (narrow && info(result->scalar).bytes != 4) {
                if (result->is_vector()) wrong_argument(call, given[0], "int or uint");
                // What get_global_id and sizeof give is as good as its lower half.
                const Scalar half = info(result->scalar).is_signed ? Scalar::int_ : Scalar::uint;
                const bool is_long = info(result->scalar).bytes > 4;
                for (E*& of : given)
                    of = is_long ? to_arithmetic(of, types_.scalar(half)) : promoted(of);
                result = given[0]->type;
            }
            if (call.known.signature == Signature::integer_to_unsigned)
                result =
                    types_.vector(integer_of(info(result->scalar).bytes, false), result->width);
            break;
        }
        case Signature::integers_scalars:
        case Signature::same:
            result = of_one_type(call, true);
            break;
        case Signature::upsample: {
            if (has_overloads(call, 2))
                one_overload(call, {{Scalar::char_, Scalar::uchar},
                                    {Scalar::uchar, Scalar::uchar},
                                    {Scalar::short_, Scalar::ushort},
                                    {Scalar::ushort, Scalar::ushort},
                                    {Scalar::int_, Scalar::uint},
                                    {Scalar::uint, Scalar::uint}});
            const Type* high = given[0]->type;
            const Type* low = given[1]->type;
            const std::uint8_t bytes = info(high->scalar).bytes;
            if (high->is_floating() || bytes > 4 || low->width != high->width ||
                low->scalar != integer_of(bytes, false))
                wrong_argument(call, given[1], "an integer and the unsigned one like it");
            result = types_.vector(
                integer_of(static_cast<std::uint8_t>(bytes * 2), info(high->scalar).is_signed),
                high->width);
            break;
        }
        case Signature::none:
            throw Broken();
    }
    return made(call, result);
}

Expression* Parser::select_call(Call& call) {
    for (const E* expr : call.given)
        if (!expr->type->is_arithmetic()) wrong_argument(call, expr, "numbers");
    const bool scalars = call.name != "?:" && has_overloads(call, 3);
    if (scalars) {
        for (E*& each : call.given)
            if (each->type->scalar == Scalar::bool_) each = promoted(each);
        if (call.given[0]->type != call.given[1]->type)
            refuse_unlike(call, call.given[0]->type, call.given[1]->type);
    } else if (call.name != "?:") {
        alike(call, 2);
    }
    const Type* type = call.given[0]->type;
    const Type* mask = call.given[2]->type;
    const std::uint8_t bytes = info(type->scalar).bytes;
    const Type* needed = types_.vector(integer_of(bytes, true), type->width);
    if (mask->is_floating() || mask->width != type->width ||
        ((scalars || type->is_vector()) && info(mask->scalar).bytes != bytes))
        refuse(call.given[2]->place,
               fmt::format("'{}' of a {} needs a {} to choose by, this is a {}", call.name,
                           type->name, needed->name, mask->name),
               scalars && mask->is_scalar() && !mask->is_floating()
                   ? fmt::format("Write ({}) before it", needed->name)
                   : "It has as many components, as wide: a comparison gives one");
    call.known = {.builtin = Builtin::select, .name = "select"};
    return made(call, type);
}

// What as_T and convert_T may name: bool, size_t and the like are none.
const Type* Parser::converted_to(std::string_view name) {
    const Type* type = types_.named(name);
    const bool fits = type != nullptr && type->is_arithmetic() && type->name == name &&
                      type->scalar != Scalar::bool_;
    return fits ? type : nullptr;
}

// as_T(x) and convert_T(x); empty if the name is neither.
Expression* Parser::made_of_type(const Call& call) {
    const std::string_view name = call.name;
    const bool as = name.substr(0, 3) == "as_";
    if (!as && name.substr(0, 8) != "convert_") return nullptr;
    take_count(call, 1, 1);
    E* given = call.given[0];
    if (!as) return convert_call(call, name.substr(8));
    const Type* to = converted_to(name.substr(3));
    if (to == nullptr) return nullptr;
    const Type* from = given->type;
    if (!from->is_arithmetic()) wrong_argument(call, given, "a number");
    const bool three_and_four = info(to->scalar).bytes == info(from->scalar).bytes &&
                                std::min(to->width, from->width) == 3 &&
                                std::max(to->width, from->width) == 4;
    if (to->bytes != from->bytes && !three_and_four)
        refuse(call.place, fmt::format("a {} and a {} are not of one size", from->name, to->name),
               fmt::format("Write convert_{}( ) to keep the value", to->name));
    if (from->scalar == to->scalar && from->width == to->width) return given;
    return make(Kind::reinterpret, to, call.place, {given});
}

Expression* Parser::convert_call(const Call& call, std::string_view rest) {
    Rounding rounding = Rounding::none;
    for (std::size_t i = 1; i < kRoundings.size(); ++i)
        if (rest.size() > 4 && rest.ends_with(kRoundings[i])) {
            rounding = static_cast<Rounding>(i);
            rest.remove_suffix(4);
        }
    const bool saturate = rest.size() > 4 && rest.ends_with("_sat");
    if (saturate) rest.remove_suffix(4);
    const Type* to = converted_to(rest);
    if (to == nullptr || (saturate && to->is_floating())) return nullptr;
    E* expr = call.given[0];
    if (!expr->type->is_arithmetic() || expr->type->width != to->width)
        wrong_argument(call, expr, counted_text(to->width, "component"));
    if (expr->type == to) return expr;
    E* result = make(Kind::convert, to, call.place, {expr});
    result->saturate = saturate;
    result->rounding = rounding;
    return result;
}

// vloadN(offset, pointer), vstoreN(value, offset, pointer), and those of halves as floats.
Expression* Parser::vector_memory_call(Call& call) {
    const Function& known = call.known;
    const bool load = known.builtin == Builtin::vload || known.builtin == Builtin::vload_half;
    const bool halves = known.builtin >= Builtin::vload_half;
    const E* pointer = call.given.back();
    if (!pointer->type->is_pointer() || !pointer->type->element->is_scalar() ||
        (halves && !pointer->type->element->is_half()))
        wrong_argument(call, pointer,
                       halves ? "a pointer to half last" : "a pointer to scalars last");
    take_integer(call, load ? 0 : 1, Scalar::long_, "an integer offset");
    const Type* type =
        types_.vector(halves ? Scalar::float_ : pointer->type->element->scalar, known.number);
    if (load) return made(call, type);
    if (pointer->type->to_const) wrong_argument(call, pointer, "a pointer that may be written to");
    E*& stored = call.given[0];
    if (halves && host_ != nullptr && known.number == 1 && stored->type->is_scalar() &&
        stored->type->is_integral())
        stored = to_arithmetic(stored, type);
    const bool half = halves && host_ == nullptr && stored->type->is_half();
    if (half || (halves ? !stored->type->is_floating() || stored->type->width != known.number
                        : stored->type != type))
        wrong_argument(call, stored, fmt::format("a {} first", type->name));
    return made(call, types_.scalar(Scalar::void_));
}

Expression* Parser::where_call(Call& call) {
    const Builtin what = call.known.builtin;
    if (call.known.arguments == 1) take_integer(call, 0, Scalar::uint, "the number of a dimension");
    const bool word = what == Builtin::work_dim || what >= Builtin::sub_group_size;
    return made(call, types_.scalar(word ? Scalar::uint : Scalar::ulong));
}

Expression* Parser::extreme_call(Call& call) {
    return made(call, of_one_type(call, true));
}

Expression* Parser::any_or_all_call(Call& call) {
    if (!call.given[0]->type->is_arithmetic() || call.given[0]->type->is_floating())
        wrong_argument(call, call.given[0], "integers");
    const ScalarInfo& given = info(call.given[0]->type->scalar);
    if (host_ == nullptr && !given.is_signed &&
        (call.given[0]->type->is_vector() || given.bytes > 2))
        wrong_argument(call, call.given[0], "signed integers");
    return made(call, types_.scalar(Scalar::int_));
}

Expression* Parser::shuffle_call(Call& call) {
    const E *first = call.given[0], *mask = call.given.back();
    if (!first->type->is_vector()) wrong_argument(call, first, "vectors");
    if (call.given.size() == 3 && call.given[1]->type != first->type)
        wrong_argument(call, call.given[1], "two vectors of one type");
    if (!mask->type->is_vector() || mask->type->is_floating() ||
        info(mask->type->scalar).is_signed ||
        info(mask->type->scalar).bytes != info(first->type->scalar).bytes)
        wrong_argument(call, mask, "a vector of unsigned integers last");
    return made(call, types_.vector(first->type->scalar, mask->type->width));
}

Expression* Parser::fence_call(Call& call) {
    E*& flags = call.given[0];
    const Builtin what = call.known.builtin;
    if (!flags->type->is_scalar() || flags->type->is_floating())
        wrong_argument(call, flags, "CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both");
    flags = promoted(flags);
    if (what != Builtin::barrier && !constant_of(*flags))
        refuse(flags->place, fmt::format("'{}' needs its flags as constants", call.name),
               "Write CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both with | between");
    take_scope(call, 1,
               what == Builtin::sub_group_barrier ? MemoryScope::sub_group : MemoryScope::group);
    return made(call, types_.scalar(Scalar::void_));
}

Expression* Parser::prefetch_call(Call& call) {
    return made(call, types_.scalar(Scalar::void_));
}

Expression* Parser::builtin_call(Call& call) {
    // In the order of Builtin: each is for those from the one before it on.
    static constexpr std::array<std::pair<Builtin, Expression* (Parser::*)(Call&)>, 17> kCalls{
        {{Builtin::pure, &Parser::pure_call},
         {Builtin::max, &Parser::extreme_call},
         {Builtin::all, &Parser::any_or_all_call},
         {Builtin::select, &Parser::select_call},
         {Builtin::shuffle2, &Parser::shuffle_call},
         {Builtin::normalize, &Parser::geometric_call},
         {Builtin::remquo, &Parser::two_results_call},
         {Builtin::sub_group_local_id, &Parser::where_call},
         {Builtin::write_fence, &Parser::fence_call},
         {Builtin::vstore_half, &Parser::vector_memory_call},
         {Builtin::prefetch, &Parser::prefetch_call},
         {Builtin::async_strided_copy, &Parser::copy_call},
         {Builtin::wait_events, &Parser::wait_call},
         {Builtin::atomic_wrap_dec, &Parser::atomic_call},
         {Builtin::all_equal, &Parser::collective_call},
         {Builtin::lt_mask, &Parser::ballot_call},
         {Builtin::atomic_fence, &Parser::atomic_call}}};
    const Builtin what = call.known.builtin;
    if (!call.known.ordered && what != Builtin::atomic_init && what != Builtin::atomic_fence) {
        const bool barrier = what == Builtin::barrier || what == Builtin::sub_group_barrier;
        take_count(call, barrier ? 1 : call.known.arguments, call.known.arguments);
        if (computes_wider(call)) return half_call(call);
    }
    const auto* of = find_if(kCalls, [&](const auto& each) { return what <= each.first; });
    return (this->*of->second)(call);
}

// Calls whose arguments are not all numbers, or which take several forms: printf, vec_step,
// copies in the background, half in memory, geometry, and two results.

constexpr std::size_t kMostText = 4096;  // characters of a string; more are refused

// The character of an escape sequence at text[at], which is behind the \; moves on past it.
static char escaped(std::string_view text, std::size_t& at) {
    static constexpr std::string_view kFrom = "ntr\\'\"abfv?", kTo = "\n\t\r\\'\"\a\b\f\v?";
    const char c = at < text.size() ? text[at++] : '\\';
    if (const std::size_t index = kFrom.find(c); index != std::string_view::npos) return kTo[index];
    const auto digit = [](char of, unsigned base) {
        const unsigned value = of >= '0' && of <= '9'   ? static_cast<unsigned>(of - '0')
                               : of >= 'a' && of <= 'f' ? static_cast<unsigned>(of - 'a' + 10)
                               : of >= 'A' && of <= 'F' ? static_cast<unsigned>(of - 'A' + 10)
                                                        : 99U;
        return value < base ? static_cast<int>(value) : -1;
    };
    const unsigned base = c == 'x' ? 16 : 8;
    if (base == 8 && digit(c, 8) < 0) return c;
    unsigned value = base == 8 ? static_cast<unsigned>(digit(c, 8)) : 0;
    for (unsigned most = 2; most > 0 && at < text.size() && digit(text[at], base) >= 0; --most)
        value = value * base + static_cast<unsigned>(digit(text[at++], base));
    return static_cast<char>(value);
}

// Texts that stand beside each other are one.
std::string Parser::text_literal() {
    std::string text;
    while (peek().kind == Token::Kind::string) {
        const Token& token = next();
        const std::string_view inner = token.text.substr(1, token.text.size() - 2);
        for (std::size_t at = 0; at < inner.size();)
            if (const char c = inner[at++]; c == '\\')
                text += escaped(inner, at);
            else
                text += c;
        if (text.size() > kMostText)
            syntax_error(fmt::format("a text has {} characters at most", kMostText));
    }
    return text;
}

// What an array of characters begins with; one without a length gets that of the text.
const Expression* Parser::text_list(Variable& variable) {
    const Place place = peek().place;
    const std::string text = text_literal();
    const Type* element = variable.type->element;
    if (variable.type->count == 0) variable.type = types_.array(element, text.size() + 1);
    if (variable.type->count < text.size())
        error(place, fmt::format("the text does not fit a {}", variable.type->name));
    E* list = make(Kind::initializer, variable.type, place);
    for (std::size_t i = 0; i < text.size() && i < variable.type->count; ++i) {
        const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(text[i]));
        list->operands.push_back(
            constant(element, info(element->scalar).is_signed ? bits : bits & 0xffU, place));
        list->offsets.push_back(i);
    }
    return list;
}

// A text in quotes as a value: an array in constant memory.
Expression* Parser::text_constant() {
    const Place place = peek().place;
    const std::string_view text = peek().text;
    Variable& variable = tree_.variables.emplace_back();
    variable.name = text.size() > 24 ? "\"…\"" : std::string(text);  // as cells are named
    variable.space = Space::constant;
    variable.is_const = variable.in_memory = variable.at_file_scope = true;
    variable.place = place;
    variable.type = types_.array(types_.scalar(Scalar::char_), 0);
    variable.initial = text_list(variable);
    tree_.globals.push_back(&variable);
    return named(variable, place);
}

Expression* Parser::vec_step(const Place& place) {
    expect("(", "vec_step");
    const Type* type = at_type() ? type_name() : value(expression())->type;
    const Place whole = joined(place, expect(")", "its argument"));
    if (type == nullptr) return broken(whole);
    const std::uint64_t width = type->is_vector() ? (type->width == 3 ? 4U : type->width) : 1U;
    return constant(types_.scalar(Scalar::int_), width, whole);
}

// Where a device reads as many bytes as the conversion says, and the value has others.
void Parser::warn_of_length(const PrintPart& part, unsigned bytes, const E& given) {
    const bool floats = is_floating_conversion(part.conversion);
    const bool is_long = part.length == "l" || (host_ != nullptr && part.length == "ll");
    const char* length = bytes == 8        ? "l"
                         : !part.is_vector ? ""
                         : bytes == 4      ? "hl"
                         : bytes == 2      ? "h"
                                           : "hh";
    const bool fits = !part.is_vector       ? floats || is_long == (bytes == 8)
                      : part.length.empty() ? floats || bytes == 4
                                            : part.length == length;
    if (fits) return;
    const std::string vector = part.is_vector ? fmt::format("v{}", part.width) : "";
    const std::string& type = given.type->name;
    diagnostics_.warning(given.place,
                         fmt::format("printf's '%{}{}{}' does not print {} {}", vector, part.length,
                                     part.conversion, type.starts_with("int") ? "an" : "a", type),
                         fmt::format("Write %{}{}{}", vector, length, part.conversion));
}

Expression* Parser::print_call(const Place& place) {
    expect("(", "printf");
    const Place start = peek().place;
    if (peek().kind != Token::Kind::string)
        syntax_error("printf needs its format as a text in quotes", "Write printf(\"%d\\n\", x)");
    const std::string text = text_literal();
    std::string wrong;
    PrintFormat format = parse_print_format(text, wrong);
    if (!wrong.empty())
        error(start, wrong, "There are %d %u %x %f %e %g %c %s %p, and %v4f for a float4");
    std::vector<E*> given;
    bool failed = !wrong.empty();
    std::string pending;  // literal text before the next value
    std::uint64_t values = 0;
    PrintFormat kept;
    for (PrintPart& part : format) {
        if (failed) break;
        part.text = pending + part.text;
        pending.clear();
        if (part.conversion == 0) {
            kept.push_back(part);
            continue;
        }
        ++values;
        if (!accept(",")) {
            error(peek().place, fmt::format("printf has no value for its '%{}'", part.conversion));
            failed = true;
            break;
        }
        if (part.conversion == 's' && peek().kind == Token::Kind::string &&
            (at(",", 1) || at(")", 1))) {
            pending = part.text + padded(text_literal(), part.form);
            continue;
        }
        E* each = value(assignment());
        const unsigned bytes = each->type == nullptr ? 0 : info(each->type->scalar).bytes;
        each = widened(each);
        if (each->type == nullptr) {
            failed = true;
            continue;
        }
        const bool floats = is_floating_conversion(part.conversion);
        const Type* element = each->type->is_pointer() ? each->type->element : nullptr;
        const bool fits =
            part.conversion == 'p'   ? element != nullptr
            : part.conversion == 's' ? element != nullptr && each->type->space == Space::constant &&
                                           element->is_integral() && element->bytes == 1
            : part.is_vector ? each->type->is_vector() && each->type->width == part.width &&
                                   each->type->is_floating() == floats
                             : each->type->is_scalar() && each->type->is_floating() == floats;
        if (!fits) {
            error(each->place,
                  fmt::format("printf's '%{}' does not print a {}",
                              (part.is_vector ? fmt::format("v{}", part.width) : std::string()) +
                                  part.conversion,
                              each->type->name),
                  "%d is for integers, %f for floating-point numbers, %v4f for a float4");
            failed = true;
            continue;
        }
        if (element == nullptr) warn_of_length(part, bytes, *each);
        if (!part.is_vector && element == nullptr) each = promoted(each);
        part.type = each->type->is_pointer() ? Scalar::ulong : each->type->scalar;
        given.push_back(each);
        kept.push_back(part);
    }
    if (!pending.empty()) {
        kept.emplace_back();
        kept.back().text = pending;
    }
    while (accept(",")) {
        if (!failed) error(peek().place, "printf has more values than its format");
        failed = true;
        if (peek().kind == Token::Kind::string)
            text_literal();
        else
            (void)assignment();
    }
    const Place whole = joined(place, expect(")", "the arguments"));
    std::size_t components = 0;
    for (const E* each : given)
        components += each->type->width;
    if (!failed && components > 200) {
        error(whole, "printf prints 200 numbers at most", "Write it as two");
        failed = true;
    }
    if (failed) return broken(whole);
    E* call =
        made({{.builtin = Builtin::print}, "printf", given, whole}, types_.scalar(Scalar::int_));
    call->format = &tree_.formats.emplace_back(std::move(kept));
    if (host_ == nullptr) return call;
    // In CUDA it returns how many values it was given.
    return make(Kind::comma, call->type, whole, {call, constant(call->type, values, whole)});
}

// async_work_group_copy(to, from, count, event), async_work_group_strided_copy(…, stride, event).
Expression* Parser::copy_call(Call& call) {
    std::vector<E*>& given = call.given;
    for (std::size_t i : {0U, 1U})
        if (!given[i]->type->is_pointer() || given[i]->type->is_event())
            wrong_argument(call, given[i], "two pointers first");
    const Type& to = *given[0]->type;
    const Type& from = *given[1]->type;
    const bool in =
        to.space == Space::local && (from.space == Space::global || from.space == Space::constant);
    const bool out = to.space == Space::global && from.space == Space::local;
    if (!in && !out)
        refuse(call.place,
               fmt::format("'{}' copies between global and local memory, not from {} to {}",
                           call.name, name_of(from.space), name_of(to.space)),
               "One of the two points to local memory");
    if (to.to_const) wrong_argument(call, given[0], "a pointer that may be written to");
    if (to.element != from.element || !to.element->is_arithmetic())
        refuse(call.place,
               fmt::format("'{}' copies numbers of one type, not {} to {}", call.name,
                           from.element->name, to.element->name),
               "Cast one of the pointers");
    for (std::size_t i = 2; i + 1 < given.size(); ++i)
        take_integer(call, i, Scalar::ulong, "how many elements");
    given.back() = convert(given.back(), types_.event(), "pass");
    if (given.back()->type == nullptr) throw Broken();
    return made(call, types_.event());
}

Expression* Parser::wait_call(Call& call) {
    constexpr std::uint64_t kMostEvents = 64;  // that one call waits for; more are refused
    const auto count = constant_of(*call.given[0]);
    if (!call.given[0]->type->is_scalar() || !count || *count > kMostEvents)
        refuse(call.given[0]->place,
               fmt::format("'{}' needs the number of events as a constant, {} at most", call.name,
                           kMostEvents),
               "Write wait_group_events(1, &event)");
    const Type& list = *call.given[1]->type;
    if (!list.is_pointer() || list.is_event() || !list.element->is_event())
        wrong_argument(call, call.given[1], "a pointer to events second");
    call.known = {.builtin = Builtin::wait_events, .number = static_cast<std::uint8_t>(*count)};
    call.given.erase(call.given.begin());
    return made(call, types_.scalar(Scalar::void_));
}

// dot, cross, length, distance, normalize.
Expression* Parser::geometric_call(Call& call) {
    for (E*& of : call.given) {
        if (!of->type->is_arithmetic() || of->type->width > 4 ||
            (of->type->is_vector() && !of->type->is_floating()))
            wrong_argument(call, of, "vectors of up to four floating-point numbers");
        if (call.known.builtin == Builtin::cross && of->type->width < 3)
            wrong_argument(call, of, "vectors of three or four components");
    }
    const Type* type = alike_floats(call, call.given.size());
    const bool vector =
        call.known.builtin == Builtin::cross || call.known.builtin == Builtin::normalize;
    return made(call, vector ? type : types_.scalar(type->scalar));
}

// modf, fract, frexp, sincos, lgamma_r, remquo: the second result goes through a pointer, which is
// the last argument.
Expression* Parser::two_results_call(Call& call) {
    std::vector<E*>& given = call.given;
    const std::size_t numbers = given.size() - 1;
    for (std::size_t i = 0; i < numbers; ++i)
        if (!given[i]->type->is_arithmetic()) wrong_argument(call, given[i], "a number first");
    const Type& pointer = *given.back()->type;
    const Builtin what = call.known.builtin;
    const bool integer =
        what == Builtin::frexp || what == Builtin::lgamma_r || what == Builtin::remquo;
    // The pointer chooses the overload.
    if (!integer && has_overloads(call, numbers) && pointer.is_pointer() &&
        pointer.element->is_scalar() && pointer.element->is_floating())
        given[0] = to_arithmetic(given[0], pointer.element);
    const Type* type = alike_floats(call, numbers);
    const Type* second = integer ? types_.vector(Scalar::int_, type->width) : type;
    if (!pointer.is_pointer() || pointer.element != second || pointer.to_const)
        wrong_argument(call, given.back(),
                       given.size() == 2 ? fmt::format("a pointer to a {} second", second->name)
                                         : fmt::format("a pointer to a {} third", second->name));
    return made(call, type);
}

// Calls of what work-items do together: collectives, ballots, atomics with memory orders.

Expression* Parser::collective_call(Call& call) {
    const Builtin what = call.known.builtin;
    E*& given = call.given[0];
    // What only takes values of others takes vectors, too.
    const bool moves =
        (what == Builtin::broadcast && call.known.collective.of == Collective::Of::sub_group) ||
        (what >= Builtin::sub_shuffle && what < Builtin::all_equal);
    if (!(moves ? given->type->is_arithmetic() : given->type->is_scalar()))
        wrong_argument(call, given, "a number");
    const bool vote = what == Builtin::vote_any || what == Builtin::vote_all;
    if (given->type->is_scalar()) given = vote ? truth(given) : promoted(given);
    if (given->type == nullptr) throw Broken();
    if (call.known.collective.how >= Collective::How::and_ && given->type->is_floating())
        wrong_argument(call, given, "integers");
    if (call.given.size() > 1) take_integer(call, 1, Scalar::uint, "an integer second");
    const bool question = vote || what == Builtin::all_equal;
    return made(call, question ? types_.scalar(Scalar::int_) : given->type);
}

// What sub_group_ballot returns, and what is asked of it: bits of a uint4.
Expression* Parser::ballot_call(Call& call) {
    const Builtin what = call.known.builtin;
    const Type* mask = types_.vector(Scalar::uint, 4);
    const Type* truth_value = types_.scalar(Scalar::int_);
    if (what == Builtin::elect) return made(call, truth_value);
    if (what == Builtin::broadcast_first) return collective_call(call);
    if (what == Builtin::ballot) {
        if (!call.given[0]->type->is_scalar()) wrong_argument(call, call.given[0], "a number");
        call.given[0] = truth(call.given[0]);
        if (call.given[0]->type == nullptr) throw Broken();
    }
    if (what == Builtin::ballot || what >= Builtin::eq_mask) return made(call, mask);
    if (call.given[0]->type != mask) wrong_argument(call, call.given[0], "a uint4 first");
    if (call.given.size() > 1) take_integer(call, 1, Scalar::uint, "an integer second");
    const bool asks = what == Builtin::inverse_ballot || what == Builtin::ballot_bit_extract;
    return made(call, asks ? truth_value : types_.scalar(Scalar::uint));
}

// One of the arguments that say in which order memory is seen, and by whom: below `end`.
std::uint64_t Parser::memory_constant(const Call& call, std::size_t index, std::uint64_t end) {
    const E& given = *call.given[index];
    const auto value = constant_of(given);
    if (!given.type->is_scalar() || !value || *value >= end)
        refuse(given.place,
               fmt::format("'{}' needs its memory order and scope as constants", call.name),
               "Write memory_order_relaxed, memory_order_acquire, … and memory_scope_device, …");
    return *value;
}

// The scope, if there is an argument `index`, which must be a constant.
void Parser::take_scope(Call& call, std::size_t index, MemoryScope usual) {
    call.known.scope = usual;
    if (call.given.size() <= index) return;
    // memory_scope_…, as clang numbers them.
    static constexpr std::array kScopes{MemoryScope::item, MemoryScope::group, MemoryScope::device,
                                        MemoryScope::device, MemoryScope::sub_group};
    call.known.scope = kScopes[memory_constant(call, index, kScopes.size())];
    call.given.resize(index);
}

// memory_order_…, as clang numbers them.
constexpr std::uint8_t kAcquire = 2, kRelease = 3, kAcquireRelease = 4, kSequential = 5;

// The orders and the scope, which must be constants; `known.number` becomes the order.
void Parser::take_order(Call& call, std::size_t arguments) {
    const std::size_t orders = call.known.number;
    call.known.number = call.known.order_of_failure = kSequential;
    if (!call.known.with_order) return take_count(call, arguments, arguments);
    const bool fence = call.known.builtin == Builtin::atomic_fence;  // takes no scope for granted
    take_count(call, arguments + orders + (fence ? 1 : 0), arguments + orders + 1);
    take_scope(call, arguments + orders, MemoryScope::device);
    for (std::size_t i = arguments; i < call.given.size(); ++i)
        (i == arguments ? call.known.number : call.known.order_of_failure) =
            static_cast<std::uint8_t>(memory_constant(call, i, kSequential + 1));
    refuse_order(call, arguments);
    call.given.resize(arguments);
}

// What the language says no call shall have (OpenCL C 3.0, 6.15.12.7; C11, 7.17.7). `first`: its
// first order.
void Parser::refuse_order(const Call& call, std::size_t first) {
    constexpr const char* kLoads =
        "Write memory_order_relaxed, memory_order_acquire or memory_order_seq_cst";
    const std::uint8_t order = call.known.number, failure = call.known.order_of_failure;
    const bool stores = call.known.builtin == Builtin::atomic_store ||
                        call.known.builtin == Builtin::atomic_flag_clear;
    if (call.known.builtin == Builtin::atomic_load &&
        (order == kRelease || order == kAcquireRelease))
        refuse(call.given[first]->place, fmt::format("'{}' cannot release", call.name), kLoads);
    if (stores && (order == kAcquire || order == kAcquireRelease))
        refuse(call.given[first]->place, fmt::format("'{}' cannot acquire", call.name),
               "Write memory_order_relaxed, memory_order_release or memory_order_seq_cst");
    if (call.known.builtin != Builtin::atomic_compare_exchange) return;
    // C++17 allows a stronger one.
    const bool stronger = host_ == nullptr && ((failure == kSequential && order != kSequential) ||
                                               (failure == kAcquire && order == 0));
    if (failure == kRelease || failure == kAcquireRelease)
        refuse(call.given[first + 1]->place,
               fmt::format("'{}' cannot release where it fails", call.name), kLoads);
    if (stronger)
        refuse(call.given[first + 1]->place,
               fmt::format("'{}' has a stronger order where it fails", call.name),
               "Make the first order as strong, or the second one weaker");
}

// Those of OpenCL 1.x, which are of integers, and those with memory orders.
Expression* Parser::atomic_call(Call& call) {
    std::vector<E*>& given = call.given;
    const Type* nothing = types_.scalar(Scalar::void_);
    const Builtin what = call.known.builtin;
    if (what == Builtin::atomic_fence) {
        call.known.with_order = true;
        call.known.number = 1;
        take_order(call, 1);
        if (!given[0]->type->is_scalar() || !constant_of(*given[0]))
            wrong_argument(call, given[0], "CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both");
        return made(call, nothing);
    }
    const bool ordered = call.known.ordered || what == Builtin::atomic_init;
    if (ordered) take_order(call, call.known.arguments);
    const Type* pointer = given[0]->type;
    if (!pointer->is_pointer() || !pointer->element->is_scalar() ||
        !reaches(Space::generic, pointer->space))
        wrong_argument(call, given[0],
                       ordered ? "a pointer to global or local numbers first"
                               : "a pointer to global or local integers first");
    const Type* type = pointer->element;
    const std::uint8_t bytes = info(type->scalar).bytes;
    const bool bits =
        what == Builtin::atomic_and || what == Builtin::atomic_or || what == Builtin::atomic_xor;
    const bool floats =
        ordered ? !bits : type->scalar == Scalar::float_ && what == Builtin::atomic_xchg;
    if ((type->is_floating() && !floats) || bytes < 4 ||
        (!ordered && bytes == 8 && !call.known.wide))
        refuse(given[0]->place, fmt::format("'{}' does not take a {}", call.name, type->name),
               ordered ? "Use atomic_int, atomic_uint, atomic_long, atomic_ulong, atomic_float"
               : bytes == 8 && !type->is_floating()
                   ? "The 64-bit ones are named atom_…"
                   : "Atomics are of int and uint; a float needs a compare-exchange loop");
    if (pointer->to_const && what != Builtin::atomic_load)
        wrong_argument(call, given[0], "a pointer that may be written to");
    const bool compares = what == Builtin::atomic_compare_exchange;
    if (compares && (!given[1]->type->is_pointer() || given[1]->type->element != type ||
                     given[1]->type->to_const))
        wrong_argument(call, given[1], fmt::format("a pointer to a {} second", type->name));
    take_numbers(call, compares ? 2 : 1, type);
    const bool silent = what == Builtin::atomic_init || what == Builtin::atomic_store ||
                        what == Builtin::atomic_flag_clear;
    const bool question = compares || what == Builtin::atomic_flag_set;
    return made(call, silent ? nothing : question ? truth_type() : type);
}

// Those from `first` on, as values of that type.
void Parser::take_numbers(Call& call, std::size_t first, const Type* type) {
    for (std::size_t i = first; i < call.given.size(); ++i) {
        if (!call.given[i]->type->is_scalar()) wrong_argument(call, call.given[i], "numbers");
        call.given[i] = to_arithmetic(call.given[i], type);
    }
}

}  // namespace lab::lang
