// The innermost parts of expressions: names, calls, elements, members.
#include <fmt/format.h>

#include "base/problem.h"
#include "lang/tree/parser.h"

namespace lab::lang {

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

Expression* Parser::index(E* expr) {
    next();
    E* by = value(expression());
    const Place end = expect("]", "the index");
    const Place place = joined(expr->place, end);
    if (expr->type != nullptr && expr->type->is_vector()) {
        // Compilers take a constant there.
        const auto lane =
            by->type != nullptr && by->type->is_integral() ? constant_of(*by) : std::nullopt;
        if (lane && *lane < expr->type->width)
            return swizzle(expr, fmt::format("s{:x}", *lane), place);
        if (expr->lvalue && expr->kind != E::Kind::swizzle && by->type != nullptr) {
            const Type* component = types_.scalar(expr->type->scalar);
            E* first = cast(address(expr, place),
                            types_.pointer(component, expr->space, expr->is_const), place);
            return dereference(offset(first, by, false, place), place);
        }
        error(place, "a vector has no [ ] with a variable between them",
              "Write .x, .y, .s0, or copy it to an array with vstore");
        return broken(place);
    }
    E* pointer = value(expr);
    if (pointer->type == nullptr || by->type == nullptr) return broken(place);
    if (!pointer->type->is_pointer() && by->type->is_pointer()) std::swap(pointer, by);
    if (!pointer->type->is_pointer()) {
        error(place, fmt::format("a {} has no elements", pointer->type->name),
              "Only arrays and pointers have [ ]");
        return broken(place);
    }
    return dereference(offset(pointer, by, false, place), place);
}

Expression* Parser::member(E* expr, bool arrow) {
    if (peek().kind != Token::Kind::identifier)
        syntax_error(fmt::format("expected a member's name, {}", found()));
    const Token& name = next();
    const Place place = place_of(name, expr->place, name.place);
    if (arrow) expr = dereference(value(expr), place);
    if (expr->type == nullptr) return broken(place);
    if (expr->type->is_vector()) return swizzle(expr, name.text, place);
    if (!expr->type->is_structure()) {
        error(place, fmt::format("a {} has no members", expr->type->name),
              expr->type->is_pointer() ? "Write -> for a pointer to a structure" : "");
        return broken(place);
    }
    if (E* found = member_named(expr, name.text, place)) return found;
    error(name.place, fmt::format("'{}' has no member '{}'", expr->type->name, name.text));
    return broken(place);
}

// Also of structures within that have no name; nothing if there is no such member.
Expression* Parser::member_named(E* expr, std::string_view name, const Place& place) {
    const Deeper deeper(*this);
    for (std::size_t i = 0; i < expr->type->members.size(); ++i) {
        const Type::Member& member = expr->type->members[i];
        if (member.name != name && !member.name.empty()) continue;
        E* result = make(E::Kind::member, member.type, place, {expr});
        result->index = static_cast<std::uint32_t>(i);
        result->lvalue = expr->lvalue;
        result->is_const = expr->is_const;
        result->space = expr->space;
        if (member.name == name) return result;
        if (E* inner = member_named(result, name, place)) return inner;
    }
    return nullptr;
}

Expression* Parser::swizzle(E* expr, std::string_view name, const Place& place) {
    const std::uint8_t width = expr->type->width;
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
        error(place, fmt::format("a {} has no components '{}'", expr->type->name, name),
              "Write .x .y .z .w, .s0 to .sf, .lo .hi .even .odd, or several: .xy");
        return broken(place);
    }
    E* result =
        make(E::Kind::swizzle, types_.vector(expr->type->scalar, static_cast<std::uint8_t>(count)),
             place, {expr});
    result->lanes = std::move(lanes);
    result->lvalue = expr->lvalue && !twice;
    result->is_const = expr->is_const;
    result->space = expr->space;
    return result;
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
            return text_constant();
        default:
            break;
    }
    if (at("(") && at("{", 1)) return statement_expression();
    if (at("(")) {
        const Deeper deeper(*this);
        const Place open = next().place;
        E* expr = expression();
        const Place end = expect(")", "the expression");
        // A macro's brackets around what its argument names: that is where it is read or written.
        if (open.macro_line == 0 || expr->place.macro_line != 0 || !expr->lvalue)
            expr->place = joined(open, end);
        return expr;
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
            diagnostics_.missing(token.place, Diagnostic::Missing::type, name,
                                 fmt::format("'{}' is no type", name), kTypesThereAre);
        throw Recover();
    }
    if (symbol == nullptr) {
        if (reported_.insert(name).second)
            diagnostics_.missing(token.place, Diagnostic::Missing::value, name,
                                 fmt::format("'{}' is not declared", name),
                                 find_function(name) || tree_.find(name) != nullptr
                                     ? "It is a function: write ( ) behind it"
                                     : variable_hint(name));
        return broken(token.place);
    }
    if (symbol->enumerator)
        return constant(types_.scalar(Scalar::int_),
                        static_cast<std::uint64_t>(*symbol->enumerator), token.place);
    if (symbol->variable == nullptr) return broken(token.place);
    E* expr = make(E::Kind::variable, symbol->variable->type, token.place);
    expr->variable = symbol->variable;
    expr->lvalue = true;
    expr->is_const = symbol->variable->is_const;
    expr->space = symbol->variable->space;
    return expr;
}

std::string Parser::variable_hint(std::string_view name) const {
    std::vector<std::string> known{"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"};
    for (const Scope& scope : scopes_)
        for (const auto& [each, symbol] : scope.names)
            if (!symbol.broken) known.push_back(each);
    const std::string meant = nearest(name, known);
    return meant.empty() ? "Declare it, or pass it with --set NAME=VALUE"
                         : fmt::format("Is '{}' meant?", meant);
}

std::string Parser::function_hint(std::string_view name) const {
    std::vector<std::string> known = function_names();
    for (const FunctionDefinition& function : tree_.functions)
        known.push_back(function.name);
    const std::string meant = nearest(name, known);
    return meant.empty()
               ? "Define it before this line; OpenCL C's own are listed in its specification"
               : fmt::format("Is '{}' meant?", meant);
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
    if (tree_.find(name) == nullptr && symbol == nullptr) {
        if (name == "printf") return print_call(place);
        if (name == "vec_step") return vec_step(place);
    }
    std::vector<E*> given = arguments();
    const Place whole = joined(place, expect(")", "the arguments"));
    const FunctionDefinition* function = overload(name, given);
    if (function == nullptr) {
        for (E*& expr : given)
            expr = value(expr);
        for (const E* of : given)
            if (of->type == nullptr) return broken(whole);
        if (E* result = made_of_type(name, given, whole)) return result;
        if (E* result = space_call(name, given, whole)) return result;
        if (const auto known = find_function(name))
            return builtin_call(*known, name, std::move(given), whole);
        if (symbol == nullptr && reported_.insert(name).second) {
            error(place, fmt::format("there is no function '{}'", name), function_hint(name));
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
    function = instance_for(function, given);
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
