#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/tree/parser.h"

namespace lab::lang {

using StatementKind = Statement::Kind;

namespace {

constexpr std::size_t kMostCases = 1000;

}  // namespace

Statement* Parser::make(StatementKind kind, const Place& place) {
    tree_.statements.emplace_back();
    Statement& statement = tree_.statements.back();
    statement.kind = kind;
    statement.place = place;
    return &statement;
}

const Statement* Parser::block(bool own_scope) {
    const Deeper deeper(*this);
    Statement* statement = make(StatementKind::block, peek().place);
    const Place open = expect("{", "the head");
    if (own_scope) scopes_.emplace_back();
    while (!at("}")) {
        if (peek().kind == Token::Kind::end) unclosed(open);
        if (diagnostics_.full()) throw Recover();
        block_item(*statement);
    }
    next();
    if (own_scope) scopes_.pop_back();
    return statement;
}

// A statement or declaration, and the way on after an error in it.
void Parser::block_item(Statement& result) {
    const std::size_t before = at_, scopes = scopes_.size();
    const int depth = depth_, loops = loops_, breakable = breakable_;
    const bool outermost = outermost_;
    bool is_declaration = false;
    try {
        while (at("__attribute__"))  // such as opencl_unroll_hint
            attribute(nullptr);
        is_declaration = at_type() && !(at("(", 1) && !at("*", 2));
        if (is_declaration)
            declaration(result);
        else
            result.statements.push_back(statement());
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

void Parser::declaration(Statement& statement) {
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
        statement.statements.push_back(one);
    } while (accept(","));
    expect(";", "the declaration");
}

const Statement* Parser::statement_inside() {
    const bool outermost = outermost_;
    outermost_ = false;
    scopes_.emplace_back();
    const Statement* result = nullptr;
    if (at_type() && !at("(", 1))
        syntax_error("a declaration needs a block around it here", "Write { }");
    result = statement();
    scopes_.pop_back();
    outermost_ = outermost;
    return result;
}

const Statement* Parser::statement() {
    const Deeper deeper(*this);
    const Place place = peek().place;
    if (at("{")) {
        const bool outermost = outermost_;
        outermost_ = false;
        const Statement* result = block(true);
        outermost_ = outermost;
        return result;
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

    if (is_block_in_brackets()) {  // its value is not used
        next();
        const bool outermost = std::exchange(outermost_, false);
        const Statement* result = block(true);
        outermost_ = outermost;
        expect(")", "the statements");
        expect(";", "the expression");
        return result;
    }
    Statement* made = make(StatementKind::expression, place);
    E* value = expression();
    made->condition = value;
    made->place = value->place;
    expect(";", "the expression");
    last_expression_ = value;
    return made;
}

bool Parser::is_block_in_brackets() const {
    if (!at("(") || !at("{", 1)) return false;
    std::size_t end = 0, open = 0;
    do {
        if (peek(end).kind == Token::Kind::end) return false;
        if (at("(", end)) ++open;
        if (at(")", end)) --open;
        ++end;
    } while (open > 0);
    return at(";", end);
}

// ({ … }) of GNU C, whose value is that of its last expression.
Expression* Parser::statement_expression() {
    struct Inside {
        explicit Inside(Parser& of)
            : parser(of),
              loops(std::exchange(of.loops_, 0)),
              breakable(std::exchange(of.breakable_, 0)),
              outermost(std::exchange(of.outermost_, false)),
              within(std::exchange(of.within_expression_, true)) {}
        ~Inside() {
            parser.loops_ = loops;
            parser.breakable_ = breakable;
            parser.outermost_ = outermost;
            parser.within_expression_ = within;
        }
        Parser& parser;
        int loops, breakable;
        bool outermost, within;
    };
    const Place open = next().place;
    if (function_ == nullptr) syntax_error("statements stand in functions only");
    const Statement* body = nullptr;
    {
        const Inside inside(*this);
        body = block(true);
    }
    const Place place = joined(open, expect(")", "the statements"));
    E* expr = make(E::Kind::statements, types_.scalar(Scalar::void_), place, {});
    expr->body = body;
    const Statement* last = body->statements.empty() ? nullptr : body->statements.back();
    if (last == nullptr || last->kind != StatementKind::expression ||
        last->condition != last_expression_)
        return expr;
    E* result = value(last_expression_);
    if (result->type == nullptr) return broken(place);
    if (result->type->is_void()) return expr;
    if (result->type->is_structure()) {
        error(place, "statements in an expression cannot give a structure", "Write a function");
        return broken(place);
    }
    expr = make(E::Kind::statements, result->type, place, {result});
    expr->body = body;
    return expr;
}

Expression* Parser::condition(const char* of) {
    const bool bracket = at("(");
    if (!bracket) syntax_error(fmt::format("expected '(' after '{}', {}", of, found()));
    next();
    E* expr = truth(expression());
    expect(")", "the condition");
    return expr;
}

const Statement* Parser::if_statement() {
    Statement* statement = make(StatementKind::if_, next().place);
    statement->condition = condition("if");
    statement->statements.push_back(statement_inside());
    if (accept("else")) statement->statements.push_back(statement_inside());
    return statement;
}

const Statement* Parser::for_statement() {
    Statement* statement = make(StatementKind::loop, next().place);
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
    statement->initial = first;
    if (!at(";")) statement->condition = truth(expression());
    expect(";", "the condition of 'for'");
    if (!at(")")) statement->step = expression();
    expect(")", "the head of 'for'");
    ++loops_, ++breakable_;
    statement->statements.push_back(statement_inside());
    --loops_, --breakable_;
    outermost_ = outermost;
    scopes_.pop_back();
    return statement;
}

const Statement* Parser::while_statement() {
    Statement* statement = make(StatementKind::loop, next().place);
    statement->condition = condition("while");
    ++loops_, ++breakable_;
    statement->statements.push_back(statement_inside());
    --loops_, --breakable_;
    return statement;
}

const Statement* Parser::do_statement() {
    Statement* statement = make(StatementKind::do_, next().place);
    ++loops_, ++breakable_;
    statement->statements.push_back(statement_inside());
    --loops_, --breakable_;
    expect("while", "the body of 'do'");
    statement->condition = condition("while");
    expect(";", "'do … while'");
    return statement;
}

const Statement* Parser::switch_statement() {
    Statement* statement = make(StatementKind::switch_, next().place);
    expect("(", "'switch'");
    E* expr = value(expression());
    if (expr->type != nullptr && !(expr->type->is_scalar() && expr->type->is_integral()))
        error(expr->place,
              fmt::format("a switch needs an integer, this is a {}", expr->type->name));
    statement->condition = promoted(expr);
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
            if (case_label(*statement)) {
                statement->cases.back().before = body->statements.size();
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
    statement->statements.push_back(body);
    return statement;
}

bool Parser::case_label(Statement& statement) {
    const Place place = peek().place;
    Statement::Case test_case;
    if (accept("default")) {
        test_case.is_default = true;
    } else if (accept("case")) {
        E* value = promoted(conditional());
        const Type* type = statement.condition->type;
        if (type != nullptr && value->type != nullptr && value->type->is_scalar() &&
            value->type->is_integral())
            value = to_arithmetic(value, type);
        const auto bits = constant_of(*value);
        if (!bits && value->type != nullptr) error(value->place, "a case needs a constant integer");
        test_case.value = bits.value_or(0);
        if (value->type == nullptr) test_case.value = ~std::uint64_t{0} - statement.cases.size();
    } else {
        return false;
    }
    if (statement.cases.size() == kMostCases)
        syntax_error(fmt::format("a switch has {} cases at most", kMostCases),
                     "Look it up in a table");
    expect(":", "the case");
    for (const Statement::Case& other : statement.cases)
        if (other.is_default == test_case.is_default &&
            (test_case.is_default || other.value == test_case.value))
            error(place, test_case.is_default ? "a second 'default' in one switch"
                                              : "this case stands twice in one switch");
    statement.cases.push_back(test_case);
    return true;
}

const Statement* Parser::jump(StatementKind kind, int depth, const char* where) {
    Statement* statement = make(kind, peek().place);
    const std::string word(next().text);
    if (depth == 0) error(statement->place, fmt::format("'{}' stands in no {}", word, where));
    expect(";", fmt::format("'{}'", word));
    return statement;
}

const Statement* Parser::return_statement() {
    Statement* statement = make(StatementKind::return_, next().place);
    if (within_expression_)
        error(statement->place, "'return' in the midst of an expression is not supported here",
              "Write a function in place of ({ … })");
    const Type* result = function_ != nullptr ? function_->result : nullptr;
    if (!at(";")) {
        E* expr = expression();
        if (result != nullptr && result->is_void()) {
            if (expr->type != nullptr && !expr->type->is_void())
                error(expr->place, fmt::format("'{}' returns nothing", function_->name));
            if (expr->type != nullptr && expr->type->is_void()) {
                // return f(); of nothing: calls it.
                statement->condition = expr;
            }
        } else if (result != nullptr) {
            if (function_->any_space)
                result = function_->result = in_space_of(result, expr = value(expr));
            statement->condition = result->is_structure() ? expr : convert(expr, result, "return");
            if (result->is_structure() && expr->type != nullptr && expr->type != result)
                error(expr->place, fmt::format("'{}' returns a {}, this is a {}", function_->name,
                                               result->name, expr->type->name));
        }
    } else if (result != nullptr && !result->is_void()) {
        error(statement->place, fmt::format("'{}' returns a {}", function_->name, result->name),
              "Write the value after 'return'");
    }
    expect(";", "'return'");
    return statement;
}

}  // namespace lab::lang
