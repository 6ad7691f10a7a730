#include <fmt/format.h>

#include <array>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

struct Level {
    std::string_view text;
    int level;
    std::optional<Operator> how;  // nothing: && or ||
};

// Of C's binary operators, the loosest first.
constexpr std::array<Level, 18> kLevels{{{"||", 0, {}},
                                         {"&&", 1, {}},
                                         {"|", 2, Operator::or_},
                                         {"^", 3, Operator::xor_},
                                         {"&", 4, Operator::and_},
                                         {"==", 5, Operator::eq},
                                         {"!=", 5, Operator::ne},
                                         {"<", 6, Operator::lt},
                                         {">", 6, Operator::gt},
                                         {"<=", 6, Operator::le},
                                         {">=", 6, Operator::ge},
                                         {"<<", 7, Operator::shl},
                                         {">>", 7, Operator::shr},
                                         {"+", 8, Operator::add},
                                         {"-", 8, Operator::sub},
                                         {"*", 9, Operator::mul},
                                         {"/", 9, Operator::div},
                                         {"%", 9, Operator::rem}}};
constexpr int kTightest = 9;

struct Compound {
    std::string_view text;
    Operator how;
};

constexpr std::array<Compound, 10> kCompounds{{{"+=", Operator::add},
                                               {"-=", Operator::sub},
                                               {"*=", Operator::mul},
                                               {"/=", Operator::div},
                                               {"%=", Operator::rem},
                                               {"<<=", Operator::shl},
                                               {">>=", Operator::shr},
                                               {"&=", Operator::and_},
                                               {"|=", Operator::or_},
                                               {"^=", Operator::xor_}}};

}  // namespace

// For an operation with that sign: what a macro's body does with its arguments stands where the
// macro is used, not where its arguments are.
Place place_of(const Token& sign, const Place& left, const Place& right) {
    return sign.place.macro_line != 0 && left.macro_line == 0 ? sign.place : joined(left, right);
}

Expression* Parser::expression() {
    E* expr = assignment();
    while (at(",")) {
        const Place place = next().place;
        E* right = value(assignment());
        if (expr->type == nullptr || right->type == nullptr) {
            expr = broken(place);
        } else {
            expr =
                make(E::Kind::comma, right->type, joined(expr->place, right->place), {expr, right});
            expr->space = right->space;
        }
    }
    return expr;
}

Expression* Parser::assignment() {
    const Deeper deeper(*this);
    E* left = conditional();
    if (at("=")) {
        next();
        E* right = assignment();
        return assign(left, right, joined(left->place, right->place));
    }
    for (const Compound& of : kCompounds)
        if (at(of.text)) {
            next();
            E* right = assignment();
            return compound(of.how, left, right, joined(left->place, right->place));
        }
    return left;
}

Expression* Parser::conditional() {
    E* condition = binary(0);
    if (!at("?")) return condition;
    const Deeper deeper(*this);
    next();
    E* yes = expression();
    expect(":", "the first choice of '?'");
    E* no = conditional();
    return choose(condition, yes, no, joined(condition->place, no->place));
}

Expression* Parser::binary(int level) {
    if (level > kTightest) return cast_or_unary();
    E* left = binary(level + 1);
    for (;;) {
        const Level* found = nullptr;
        for (const Level& of : kLevels)
            if (of.level == level && at(of.text)) found = &of;
        if (found == nullptr) return left;
        const bool both = found->level == 1;
        const Token& sign = next();
        E* right = binary(level + 1);
        const Place place = place_of(sign, left->place, right->place);
        if (found->how)
            left = binary_node(*found->how, left, right, place);
        else
            left = logical(both ? Operator::and_ : Operator::or_, left, right, place);
    }
}

Expression* Parser::cast_or_unary() {
    if (!at("(") || !at_type(1)) return unary();
    const Deeper deeper(*this);
    const Place place = next().place;
    bool any_space = false;
    const Type* type = type_name(&any_space);
    expect(")", "the type");
    if (type->is_vector() && at("(")) return vector_literal(type, place);
    if (at("{")) return postfix_of(compound_literal(type, place));
    E* expr = cast_or_unary();
    if (any_space) type = in_space_of(type, expr = value(expr));
    return cast(expr, type, joined(place, expr->place));
}

// (type){ list }: a variable without a name.
Expression* Parser::compound_literal(const Type* type, const Place& place) {
    if (type->is_vector()) {
        next();
        return vector_parts(type, place, "}");
    }
    if (function_ == nullptr || type->is_void())
        syntax_error("a literal in braces is of a complete type, and stands in a function");
    tree_.variables.emplace_back();
    Variable& variable = tree_.variables.back();
    variable.name = "literal";
    variable.type = type;
    variable.in_memory = true;
    variable.place = place;
    initialize(variable);
    if (variable.type->is_scalar() || variable.type->is_pointer()) {
        if (variable.initial == nullptr) return constant(variable.type, 0, place);
        return const_cast<E*>(variable.initial);
    }
    // With its values, so that they count as parts of it.
    E* expr =
        make(E::Kind::variable, variable.type, place,
             variable.initial != nullptr ? variable.initial->operands : std::vector<const E*>());
    expr->variable = &variable;
    expr->lvalue = expr->is_literal = true;
    return expr;
}

Expression* Parser::vector_literal(const Type* type, const Place& place) {
    next();
    return postfix_of(vector_parts(type, place, ")"));
}

// The components of a vector, up to the bracket that closes them.
Expression* Parser::vector_parts(const Type* type, const Place& place, std::string_view close) {
    std::vector<const E*> parts;
    std::size_t components = 0;
    bool wrong = false;
    do {
        E* part = value(assignment());
        if (part->type == nullptr) {
            wrong = true;
        } else if (!part->type->is_arithmetic()) {
            error(part->place,
                  fmt::format("a {} cannot be part of a {}", part->type->name, type->name));
            wrong = true;
        } else {
            if (part->type->is_vector() && part->type->scalar != type->scalar) {
                error(part->place,
                      fmt::format("a {} cannot be part of a {}", part->type->name, type->name),
                      fmt::format("Write convert_{}{}( )", info(type->scalar).name,
                                  part->type->width));
                wrong = true;
            } else {
                part = to_arithmetic(part, types_.vector(type->scalar, part->type->width));
            }
            components += part->type->width;
        }
        parts.push_back(part);
    } while (accept(",") && !at(close));
    const Place end = expect(close, "the components");
    const Place whole = joined(place, end);
    if (wrong) return broken(whole);
    if (components != type->width && !(parts.size() == 1 && components == 1)) {
        error(whole, fmt::format("a {} takes {} components, but {} are given", type->name,
                                 type->width, components));
        return broken(whole);
    }
    return make(E::Kind::build, type, whole, std::move(parts));
}

Expression* Parser::unary() {
    const Deeper deeper(*this);
    const Place place = peek().place;
    if (at("++") || at("--")) {
        const bool minus = next().text == "--";
        E* expr = unary();
        return increment(expr, true, minus, joined(place, expr->place));
    }
    if (at("sizeof")) return size_of();
    static constexpr std::array<std::string_view, 6> kUnary{"-", "+", "!", "~", "*", "&"};
    for (const std::string_view sign : kUnary) {
        if (!at(sign)) continue;
        next();
        E* of = cast_or_unary();
        const Place whole = joined(place, of->place);
        if (sign == "*") return dereference(value(of), whole);
        if (sign == "&") return address(of, whole);
        if (sign == "+") {
            of = value(of);
            if (of->type != nullptr && !of->type->is_arithmetic()) {
                error(whole, fmt::format("'+' needs a number, this is a {}", of->type->name));
                return broken(whole);
            }
            return promoted(of);
        }
        return unary_node(sign == "-"   ? Operator::negate
                          : sign == "!" ? Operator::not_
                                        : Operator::complement,
                          value(of), whole);
    }
    return postfix();
}

Expression* Parser::postfix() {
    return postfix_of(primary());
}

Expression* Parser::postfix_of(E* expr) {
    for (;;) {
        const Place place = peek().place;
        if (at("[")) {
            expr = index(expr);
        } else if (at(".") || at("->")) {
            const bool arrow = next().text == "->";
            expr = member(expr, arrow);
        } else if (at("++") || at("--")) {
            const bool minus = next().text == "--";
            expr = increment(expr, false, minus, joined(expr->place, place));
        } else if (at("(")) {
            syntax_error("only functions can be called", "Name a function before '('");
        } else {
            return expr;
        }
    }
}

}  // namespace lab::lang
