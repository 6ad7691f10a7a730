#include <fmt/format.h>

#include <algorithm>

#include "lang/tree/parser.h"

namespace lab::lang {

using StatementKind = Statement::Kind;

namespace {

constexpr std::size_t kMostCases = 1000;

}  // namespace

Statement* Parser::make(StatementKind kind, const Place& place) {
    tree_.statements.emplace_back();
    Statement& made = tree_.statements.back();
    made.kind = kind;
    made.place = place;
    return &made;
}

const Statement* Parser::block(bool own_scope) {
    const Deeper deeper(*this);
    Statement* made = make(StatementKind::block, peek().place);
    const Place open = expect("{", "the head");
    if (own_scope) scopes_.emplace_back();
    while (!at("}")) {
        if (peek().kind == Token::Kind::end) unclosed(open);
        if (diagnostics_.full()) throw Recover();
        block_item(*made);
    }
    next();
    if (own_scope) scopes_.pop_back();
    return made;
}

// A statement or declaration, and the way on after an error in it.
void Parser::block_item(Statement& made) {
    const std::size_t before = at_, scopes = scopes_.size();
    const int depth = depth_, loops = loops_, breakable = breakable_;
    const bool outermost = outermost_;
    bool is_declaration = false;
    try {
        while (at("__attribute__"))  // such as opencl_unroll_hint
            attribute(nullptr);
        is_declaration = at_type() && !(at("(", 1) && !at("*", 2));
        if (is_declaration)
            declaration(made);
        else
            made.statements.push_back(statement());
    } catch (const Recover&) {
        scopes_.resize(scopes);
        depth_ = depth;
        loops_ = loops;
        breakable_ = breakable;
        outermost_ = outermost;
        int open = 0;
        for (std::size_t i = before; i < at_; ++i)
            open += tokens_[i].is("{") ? 1 : tokens_[i].is("}") ? -1 : 0;
        skip_statement(std::max(0, open));
        if (is_declaration) mark_broken(before);
        if (at_ == before) next();
    }
}

void Parser::declaration(Statement& made) {
    const Specifiers base = specifiers();
    if (accept(";")) return;
    do {
        const Declarator declared = declarator(base, true);
        if (base.is_typedef) {
            typedef_name(declared);
            continue;
        }
        if (declared.is_function)
            syntax_error("a function cannot be declared inside of another",
                         "Move it before this function");
        Variable* variable = make_variable(declared, base);
        if (declared.space == Space::local && !outermost_)
            error(declared.place, "local variables are declared at the top level of a kernel only",
                  "Declare it there and pass a pointer to it");
        if (declared.space == Space::global)
            error(declared.place, "a variable cannot lie in global memory",
                  "Pass a buffer as an argument, or leave 'global' away");
        Symbol symbol;
        symbol.variable = variable;
        declare(declared.name, symbol, declared.place);
        Statement* one = make(StatementKind::declare, declared.place);
        one->variable = variable;
        if (accept("=")) {
            initialize(*variable);
            one->place = joined(declared.place, tokens_[at_ - 1].place);
        } else if (variable->type->is_array() && variable->type->count == 0) {
            error(declared.place, "the array has no length", "Write it between [ and ]");
        }
        made.statements.push_back(one);
    } while (accept(","));
    expect(";", "the declaration");
}

const Statement* Parser::statement_inside() {
    const bool outermost = outermost_;
    outermost_ = false;
    scopes_.emplace_back();
    const Statement* made = nullptr;
    if (at_type() && !at("(", 1))
        syntax_error("a declaration needs a block around it here", "Write { }");
    made = statement();
    scopes_.pop_back();
    outermost_ = outermost;
    return made;
}

const Statement* Parser::statement() {
    const Deeper deeper(*this);
    const Place place = peek().place;
    if (at("{")) {
        const bool outermost = outermost_;
        outermost_ = false;
        const Statement* made = block(true);
        outermost_ = outermost;
        return made;
    }
    if (accept(";")) return make(StatementKind::empty, place);
    if (at("if")) return if_statement();
    if (at("for")) return for_statement();
    if (at("while")) return while_statement();
    if (at("do")) return do_statement();
    if (at("switch")) return switch_statement();
    if (at("break")) return jump(StatementKind::break_, breakable_, "loop or switch");
    if (at("continue")) return jump(StatementKind::continue_, loops_, "loop");
    if (at("return")) return return_statement();
    if (at("goto"))
        syntax_error("'goto' is not supported here", "Use loops, break, continue and return");
    if (at("case") || at("default"))
        syntax_error(fmt::format("'{}' stands in no switch of its own level", peek().text),
                     "Case labels belong directly into the block of a switch");
    if (at("else")) syntax_error("'else' without an 'if' before it");
    if (at("asm") || at("__asm__") || at("__asm"))
        syntax_error("inline assembly is not supported here", "It is for one kind of device only");
    if (peek().kind == Token::Kind::identifier && at(":", 1))
        syntax_error("labels are not supported here", "Use loops, break, continue and return");

    Statement* made = make(StatementKind::expression, place);
    E* value = expression();
    made->condition = value;
    made->place = value->place;
    expect(";", "the expression");
    return made;
}

Expression* Parser::condition(const char* of) {
    const bool bracket = at("(");
    if (!bracket) syntax_error(fmt::format("expected '(' after '{}', {}", of, found()));
    next();
    E* made = truth(expression());
    expect(")", "the condition");
    return made;
}

const Statement* Parser::if_statement() {
    Statement* made = make(StatementKind::if_, next().place);
    made->condition = condition("if");
    made->statements.push_back(statement_inside());
    if (accept("else")) made->statements.push_back(statement_inside());
    return made;
}

const Statement* Parser::for_statement() {
    Statement* made = make(StatementKind::loop, next().place);
    expect("(", "'for'");
    scopes_.emplace_back();
    const bool outermost = outermost_;
    outermost_ = false;
    Statement* first = make(StatementKind::block, peek().place);
    if (at_type() && !at("(", 1)) {
        declaration(*first);
    } else if (!accept(";")) {
        Statement* one = make(StatementKind::expression, peek().place);
        one->condition = expression();
        expect(";", "the first part of 'for'");
        first->statements.push_back(one);
    }
    made->initial = first;
    if (!at(";")) made->condition = truth(expression());
    expect(";", "the condition of 'for'");
    if (!at(")")) made->step = expression();
    expect(")", "the head of 'for'");
    ++loops_, ++breakable_;
    made->statements.push_back(statement_inside());
    --loops_, --breakable_;
    outermost_ = outermost;
    scopes_.pop_back();
    return made;
}

const Statement* Parser::while_statement() {
    Statement* made = make(StatementKind::loop, next().place);
    made->condition = condition("while");
    ++loops_, ++breakable_;
    made->statements.push_back(statement_inside());
    --loops_, --breakable_;
    return made;
}

const Statement* Parser::do_statement() {
    Statement* made = make(StatementKind::do_, next().place);
    ++loops_, ++breakable_;
    made->statements.push_back(statement_inside());
    --loops_, --breakable_;
    expect("while", "the body of 'do'");
    made->condition = condition("while");
    expect(";", "'do … while'");
    return made;
}

const Statement* Parser::switch_statement() {
    Statement* made = make(StatementKind::switch_, next().place);
    expect("(", "'switch'");
    E* of = value(expression());
    if (of->type != nullptr && !(of->type->is_scalar() && of->type->is_integral()))
        error(of->place, fmt::format("a switch needs an integer, this is a {}", of->type->name));
    made->condition = promoted(of);
    expect(")", "the value of 'switch'");
    if (!at("{"))
        syntax_error(fmt::format("expected '{{' after the head of 'switch', {}", found()));
    const bool outermost = outermost_;
    outermost_ = false;
    Statement* body = make(StatementKind::block, next().place);
    scopes_.emplace_back();
    ++breakable_;
    while (!at("}") && peek().kind != Token::Kind::end && !diagnostics_.full()) {
        const std::size_t before = at_, scopes = scopes_.size();
        const int depth = depth_;
        try {
            if (case_label(*made)) {
                made->cases.back().before = body->statements.size();
                continue;
            }
        } catch (const Recover&) {
            scopes_.resize(scopes);
            depth_ = depth;
            skip_statement();
            if (at_ == before) next();
            continue;
        }
        block_item(*body);
    }
    --breakable_;
    scopes_.pop_back();
    outermost_ = outermost;
    expect("}", "the block of 'switch'");
    made->statements.push_back(body);
    return made;
}

bool Parser::case_label(Statement& of) {
    const Place place = peek().place;
    Statement::Case made;
    if (accept("default")) {
        made.is_default = true;
    } else if (accept("case")) {
        E* value = promoted(conditional());
        const Type* type = of.condition->type;
        if (type != nullptr && value->type != nullptr && value->type->is_scalar() &&
            value->type->is_integral())
            value = to_arithmetic(value, type);
        const auto bits = constant_of(*value);
        if (!bits && value->type != nullptr) error(value->place, "a case needs a constant integer");
        made.value = bits.value_or(0);
        if (value->type == nullptr) made.value = ~std::uint64_t{0} - of.cases.size();
    } else {
        return false;
    }
    if (of.cases.size() == kMostCases)
        syntax_error(fmt::format("a switch has {} cases at most", kMostCases),
                     "Look it up in a table");
    expect(":", "the case");
    for (const Statement::Case& other : of.cases)
        if (other.is_default == made.is_default && (made.is_default || other.value == made.value))
            error(place, made.is_default ? "a second 'default' in one switch"
                                         : "this case stands twice in one switch");
    of.cases.push_back(made);
    return true;
}

const Statement* Parser::jump(StatementKind kind, int depth, const char* where) {
    Statement* made = make(kind, peek().place);
    const std::string word(next().text);
    if (depth == 0) error(made->place, fmt::format("'{}' stands in no {}", word, where));
    expect(";", fmt::format("'{}'", word));
    return made;
}

const Statement* Parser::return_statement() {
    Statement* made = make(StatementKind::return_, next().place);
    const Type* result = function_ != nullptr ? function_->result : nullptr;
    if (!at(";")) {
        E* of = expression();
        if (result != nullptr && result->is_void()) {
            if (of->type != nullptr && !of->type->is_void())
                error(of->place, fmt::format("'{}' returns nothing", function_->name));
            if (of->type != nullptr && of->type->is_void()) {
                // return f(); of nothing: calls it.
                made->condition = of;
            }
        } else if (result != nullptr) {
            made->condition = result->is_structure() ? of : convert(of, result, "return");
            if (result->is_structure() && of->type != nullptr && of->type != result)
                error(of->place, fmt::format("'{}' returns a {}, this is a {}", function_->name,
                                             result->name, of->type->name));
        }
    } else if (result != nullptr && !result->is_void()) {
        error(made->place, fmt::format("'{}' returns a {}", function_->name, result->name),
              "Write the value after 'return'");
    }
    expect(";", "'return'");
    return made;
}

}  // namespace lab::lang
