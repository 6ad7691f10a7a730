#include <fmt/format.h>

#include <array>

#include "lang/parser.h"

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
// Of an operation with that sign: what a macro's body does with its arguments stands where the
// macro is used, not where its arguments are.
Place place_of(const Token& sign, const Place& left, const Place& right) {
    return sign.place.macro_line != 0 && left.macro_line == 0 ? sign.place : joined(left, right);
}

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

Expression* Parser::expression() {
    E* made = assignment();
    while (at(",")) {
        const Place place = next().place;
        E* right = value(assignment());
        if (made->type == nullptr || right->type == nullptr) {
            made = broken(place);
        } else {
            made =
                make(E::Kind::comma, right->type, joined(made->place, right->place), {made, right});
            made->space = right->space;
        }
    }
    return made;
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
    const Type* type = type_name();
    expect(")", "the type");
    if (type->is_vector() && at("(")) return vector_literal(type, place);
    if (at("{"))
        syntax_error("compound literals are not supported here", "Declare a variable of that type");
    E* of = cast_or_unary();
    return cast(of, type, joined(place, of->place));
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
        E* of = unary();
        return increment(of, true, minus, joined(place, of->place));
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

Expression* Parser::size_of() {
    const Place place = next().place;
    const Type* type = nullptr;
    if (at("(") && at_type(1)) {
        next();
        type = type_name();
        expect(")", "the type");
    } else {
        type = unary()->type;
    }
    if (type == nullptr) return broken(place);
    return constant(types_.scalar(Scalar::ulong), type->is_void() ? 1 : type->bytes, place);
}

Expression* Parser::postfix() {
    return postfix_of(primary());
}

Expression* Parser::postfix_of(E* made) {
    for (;;) {
        const Place place = peek().place;
        if (at("[")) {
            made = index(made);
        } else if (at(".") || at("->")) {
            const bool arrow = next().text == "->";
            made = member(made, arrow);
        } else if (at("++") || at("--")) {
            const bool minus = next().text == "--";
            made = increment(made, false, minus, joined(made->place, place));
        } else if (at("(")) {
            syntax_error("only functions can be called", "Name a function before '('");
        } else {
            return made;
        }
    }
}

Expression* Parser::index(E* of) {
    next();
    E* by = value(expression());
    const Place end = expect("]", "the index");
    const Place place = joined(of->place, end);
    if (of->type != nullptr && of->type->is_vector()) {
        error(place, "a vector has no [ ]",
              "Write .x, .y, .s0, or copy it to an array with vstore");
        return broken(place);
    }
    E* pointer = value(of);
    if (pointer->type == nullptr || by->type == nullptr) return broken(place);
    if (!pointer->type->is_pointer() && by->type->is_pointer()) std::swap(pointer, by);
    if (!pointer->type->is_pointer()) {
        error(place, fmt::format("a {} has no elements", pointer->type->name),
              "Only arrays and pointers have [ ]");
        return broken(place);
    }
    return dereference(offset(pointer, by, false, place), place);
}

Expression* Parser::member(E* of, bool arrow) {
    if (peek().kind != Token::Kind::identifier)
        syntax_error(fmt::format("expected a member's name, {}", found()));
    const Token& name = next();
    const Place place = place_of(name, of->place, name.place);
    if (arrow) of = dereference(value(of), place);
    if (of->type == nullptr) return broken(place);
    if (of->type->is_vector()) return swizzle(of, name.text, place);
    if (!of->type->is_structure()) {
        error(place, fmt::format("a {} has no members", of->type->name),
              of->type->is_pointer() ? "Write -> for a pointer to a structure" : "");
        return broken(place);
    }
    if (E* found = member_named(of, name.text, place)) return found;
    error(name.place, fmt::format("'{}' has no member '{}'", of->type->name, name.text));
    return broken(place);
}

// Also of structures within that have no name; nothing if there is no such member.
Expression* Parser::member_named(E* of, std::string_view name, const Place& place) {
    const Deeper deeper(*this);
    for (std::size_t i = 0; i < of->type->members.size(); ++i) {
        const Type::Member& member = of->type->members[i];
        if (member.name != name && !member.name.empty()) continue;
        E* made = make(E::Kind::member, member.type, place, {of});
        made->index = static_cast<std::uint32_t>(i);
        made->lvalue = of->lvalue;
        made->is_const = of->is_const;
        made->space = of->space;
        if (member.name == name) return made;
        if (E* inner = member_named(made, name, place)) return inner;
    }
    return nullptr;
}

Expression* Parser::swizzle(E* of, std::string_view name, const Place& place) {
    const std::uint8_t width = of->type->width;
    std::vector<std::uint8_t> lanes;
    const std::uint8_t padded = width == 3 ? 4 : width;
    const auto every = [&](std::uint8_t first, std::uint8_t step) {
        for (unsigned i = first; lanes.size() < padded / 2U; i += step)
            lanes.push_back(static_cast<std::uint8_t>(i));
    };
    if (name == "lo")
        every(0, 1);
    else if (name == "hi")
        every(padded / 2, 1);
    else if (name == "even")
        every(0, 2);
    else if (name == "odd")
        every(1, 2);
    else if (name.size() > 1 && (name[0] == 's' || name[0] == 'S')) {
        for (const char c : name.substr(1)) {
            const std::string_view digits = "0123456789abcdef";
            const std::size_t lower =
                digits.find(static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c));
            lanes.push_back(lower == std::string_view::npos ? 255
                                                            : static_cast<std::uint8_t>(lower));
        }
    } else {
        for (const char c : name) {
            const std::size_t lane = std::string_view("xyzw").find(c);
            lanes.push_back(lane == std::string_view::npos ? 255 : static_cast<std::uint8_t>(lane));
        }
    }
    // .hi and .odd of three have a component that nobody may ask for.
    if (width == 3)
        for (std::uint8_t& lane : lanes)
            if (lane == 3 && (name == "hi" || name == "odd")) lane = 2;
    const std::size_t count = lanes.size();
    bool fits = count == 1 || count == 2 || count == 3 || count == 4 || count == 8 || count == 16;
    bool twice = false;
    for (std::size_t i = 0; i < count; ++i) {
        fits = fits && lanes[i] < width;
        for (std::size_t k = 0; k < i; ++k)
            twice = twice || lanes[i] == lanes[k];
    }
    if (!fits) {
        error(place, fmt::format("a {} has no components '{}'", of->type->name, name),
              "Write .x .y .z .w, .s0 to .sf, .lo .hi .even .odd, or several: .xy");
        return broken(place);
    }
    E* made = make(E::Kind::swizzle,
                   types_.vector(of->type->scalar, static_cast<std::uint8_t>(count)), place, {of});
    made->lanes = std::move(lanes);
    made->lvalue = of->lvalue && !twice;
    made->is_const = of->is_const;
    made->space = of->space;
    return made;
}

Expression* Parser::primary() {
    const Token& token = peek();
    switch (token.kind) {
        case Token::Kind::number:
            return number();
        case Token::Kind::character:
            return character();
        case Token::Kind::identifier:
            return identifier();
        case Token::Kind::string:
            syntax_error("texts in quotes are not supported here",
                         "Write an array of characters: {'a', 'b'}");
        default:
            break;
    }
    if (at("(")) {
        const Deeper deeper(*this);
        const Place open = next().place;
        E* made = expression();
        const Place end = expect(")", "the expression");
        // A macro's brackets around what its argument names: that is where it is read or written.
        if (open.macro_line == 0 || made->place.macro_line != 0 || !made->lvalue)
            made->place = joined(open, end);
        return made;
    }
    syntax_error(fmt::format("expected an expression, {}", found()));
}

Expression* Parser::identifier() {
    const Token& token = next();
    const std::string name(token.text);
    if (at_type_word(name)) {
        --at_;
        syntax_error(fmt::format("expected an expression, found the type '{}'", name),
                     fmt::format("A conversion is written ({})value", name));
    }
    if (at("(")) return call(name, token.place);
    Symbol* symbol = find(name);
    if (symbol == nullptr && peek().kind == Token::Kind::identifier && !peek().line_start) {
        Symbol meant;  // by a declaration
        meant.broken = true;
        scopes_.back().names.try_emplace(std::string(peek().text), meant);
        if (reported_.insert(name).second)
            error(token.place, fmt::format("'{}' is no type", name), kTypesThereAre);
        throw Recover();
    }
    if (symbol == nullptr) {
        if (reported_.insert(name).second)
            error(token.place, fmt::format("'{}' is not declared", name),
                  find_function(name) || tree_.find(name) != nullptr
                      ? "It is a function: write ( ) behind it"
                      : "Declare it, or pass it with -D or --set");
        return broken(token.place);
    }
    if (symbol->enumerator)
        return constant(types_.scalar(Scalar::int_),
                        static_cast<std::uint64_t>(*symbol->enumerator), token.place);
    if (symbol->variable == nullptr) return broken(token.place);
    E* made = make(E::Kind::variable, symbol->variable->type, token.place);
    made->variable = symbol->variable;
    made->lvalue = true;
    made->is_const = symbol->variable->is_const;
    made->space = symbol->variable->space;
    return made;
}

std::vector<Expression*> Parser::arguments() {
    std::vector<E*> given;
    expect("(", "the function");
    while (!at(")") && peek().kind != Token::Kind::end) {
        given.push_back(assignment());
        if (!accept(",")) break;
    }
    return given;
}

Expression* Parser::call(const std::string& name, const Place& place) {
    const Deeper deeper(*this);
    const auto not_here = unsupported_function(name);
    if (not_here && tree_.find(name) == nullptr && !find_function(name)) {
        error(place, fmt::format("'{}' is not supported here: {}", name, not_here->why),
              std::string(not_here->instead));
        throw Recover();
    }
    const Symbol* symbol = find(name);
    if (symbol != nullptr && !symbol->broken)
        error(place, fmt::format("'{}' is no function", name),
              symbol->variable != nullptr ? fmt::format("It is a variable, declared in line {}",
                                                        symbol->variable->place.line)
                                          : "");
    std::vector<E*> given = arguments();
    const Place whole = joined(place, expect(")", "the arguments"));
    const FunctionDefinition* function = tree_.find(name);
    if (function == nullptr) {
        for (E*& of : given)
            of = value(of);
        for (const E* of : given)
            if (of->type == nullptr) return broken(whole);
        if (E* made = made_of_type(name, given, whole)) return made;
        if (const auto known = find_function(name))
            return builtin_call(*known, name, std::move(given), whole);
        if (symbol == nullptr && reported_.insert(name).second) {
            error(place, fmt::format("there is no function '{}'", name),
                  "Define it before this line; OpenCL C's own are listed in its specification");
        }
        return broken(whole);
    }
    if (given.size() != function->parameters.size()) {
        error(whole,
              fmt::format("'{}' takes {} argument{}, but {} {} given", name,
                          function->parameters.size(), function->parameters.size() == 1 ? "" : "s",
                          given.size(), given.size() == 1 ? "is" : "are"));
        return broken(whole);
    }
    std::vector<const E*> operands;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Type* type = function->parameters[i]->type;
        if (type->is_structure()) {
            if (given[i]->type != nullptr && given[i]->type != type)
                error(given[i]->place, fmt::format("'{}' takes a {} here, this is a {}", name,
                                                   type->name, given[i]->type->name));
            operands.push_back(given[i]);
        } else {
            operands.push_back(convert(given[i], type, "pass"));
        }
        if (operands.back()->type == nullptr) return broken(whole);
    }
    if (function_ != nullptr) function_->calls.push_back(function);
    E* made = make(E::Kind::call, function->result, whole, std::move(operands));
    made->function = function;
    return made;
}

}  // namespace lab::lang
