#include "lang/tree/parser.h"

#include <fmt/format.h>

#include "lang/tree/parse.h"

namespace lab::lang {
namespace {

constexpr int kDeepestNesting = 200;

}  // namespace

const FunctionDefinition* Tree::find(std::string_view name) const {
    for (const FunctionDefinition& function : functions)
        if (function.name == name) return &function;
    return nullptr;
}

std::vector<const FunctionDefinition*> Tree::kernels() const {
    std::vector<const FunctionDefinition*> found;
    for (const FunctionDefinition& function : functions)
        if (function.is_kernel && function.body != nullptr) found.push_back(&function);
    return found;
}

std::unique_ptr<Tree> parse(const std::vector<Token>& tokens, Diagnostics& diagnostics) {
    auto tree = std::make_unique<Tree>();
    Parser(tokens, *tree, diagnostics).program();
    return tree;
}

Parser::Parser(const std::vector<Token>& tokens, Tree& tree, Diagnostics& diagnostics)
    : tokens_(tokens), tree_(tree), types_(tree.types), diagnostics_(diagnostics) {
    scopes_.emplace_back();
}

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ <= kDeepestNesting) return;
    --parser_.depth_;
    parser_.syntax_error(fmt::format("this is nested deeper than {} levels", kDeepestNesting),
                         "Split it into functions or variables");
}

const Token& Parser::peek(std::size_t ahead) const {
    const std::size_t place = at_ + ahead;
    return place < tokens_.size() ? tokens_[place] : tokens_.back();
}

const Token& Parser::next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
}

bool Parser::accept(std::string_view text) {
    if (!at(text)) return false;
    next();
    return true;
}

std::string Parser::found() const {
    const Token& token = peek();
    if (token.kind == Token::Kind::end) return "found the end of the text";
    return fmt::format("found '{}'", token.text.substr(0, 40));
}

Place Parser::expect(std::string_view text, std::string_view after) {
    if (at(text)) return next().place;
    // A missing ; is best shown where it should stand.
    if (at_ > 0 && (text == ";" || text == ")" || text == "]") && peek().line_start) {
        Place place = tokens_[at_ - 1].place;
        if (place.macro_line == 0) place.column += place.length;
        place.length = 1;
        error(place, fmt::format("expected '{}' after {}", text, after));
        throw Recover();
    }
    syntax_error(fmt::format("expected '{}' after {}, {}", text, after, found()));
}

// Messages name types as "a float"; these are the only ones whose names begin with a vowel.
void Parser::error(const Place& place, std::string message, std::string hint) {
    for (const char* type : {"a int", "a event_t"})
        for (std::size_t index = 0; (index = message.find(type, index)) != std::string::npos;
             ++index)
            if (index == 0 || message[index - 1] == ' ') message.insert(index + 1, 1, 'n');
    diagnostics_.error(place, std::move(message), std::move(hint));
}

void Parser::unclosed(const Place& open) {
    if (!unclosed_) error(open, "this '{' is never closed", "Write } where the block ends");
    unclosed_ = true;
    throw Recover();
}

void Parser::syntax_error(std::string message, std::string hint) {
    error(peek().place, std::move(message), std::move(hint));
    throw Recover();
}

void Parser::skip_balanced(std::string_view open, std::string_view close) {
    int depth = 0;
    while (peek().kind != Token::Kind::end) {
        if (at(open)) ++depth;
        if (at(close) && --depth <= 0) {
            next();
            return;
        }
        next();
    }
}

// To behind the ';' of this statement, or to the '}' that ends the block around it. `open`: braces
// of the statement that are open already.
void Parser::skip_statement(int open) {
    while (peek().kind != Token::Kind::end) {
        if (at("}") && open == 0) return;
        if (at("{") && open == 0) {
            skip_balanced("{", "}");
            return;
        }
        if (at("{")) ++open;
        if (at("}")) --open;
        const bool ends = at(";") && open == 0;
        next();
        if (ends) return;
    }
}

void Parser::skip_declaration() {
    while (peek().kind != Token::Kind::end) {
        if (at("{")) {
            skip_balanced("{", "}");
            accept(";");
            return;
        }
        if (accept(";") || accept("}")) return;
        next();
    }
}

// After an error in a declaration, what it would have declared: uses of that are no further news.
void Parser::mark_broken(std::size_t from) {
    for (std::size_t i = from; i + 1 < tokens_.size() && i < at_; ++i) {
        const Token& token = tokens_[i];
        const Token& then = tokens_[i + 1];
        const bool in_brackets = i > 0 && tokens_[i - 1].is("*") && then.is(")");
        if (token.kind != Token::Kind::identifier || at_type_word(token.text) ||
            !(then.is(";") || then.is(",") || then.is("=") || then.is("[") || in_brackets))
            continue;
        Symbol symbol;
        symbol.broken = true;
        scopes_.back().names.try_emplace(std::string(token.text), symbol);
    }
}

Symbol* Parser::find(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->names.find(name); found != scope->names.end())
            return &found->second;
    return nullptr;
}

void Parser::declare(const std::string& name, Symbol symbol, const Place& place) {
    if (name.empty()) return;
    auto& names = scopes_.back().names;
    if (const auto before = names.find(name); before != names.end() && !before->second.broken) {
        const Variable* variable = before->second.variable;
        error(place, fmt::format("'{}' is already declared in this scope", name),
              variable != nullptr ? fmt::format("The first is in line {}", variable->place.line)
                                  : "Choose another name");
        return;
    }
    names[name] = symbol;
}

const Type* Parser::tag(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->tags.find(name); found != scope->tags.end())
            return found->second;
    return nullptr;
}

void Parser::program() {
    while (peek().kind != Token::Kind::end && !diagnostics_.full()) {
        const std::size_t before = at_;
        const std::size_t scopes = scopes_.size();
        if (at("}")) {  // after an error it mostly belongs to what was skipped
            if (!diagnostics_.failed()) error(peek().place, "this '}' closes no '{'");
            next();
            continue;
        }
        try {
            external_declaration();
        } catch (const Recover&) {
            scopes_.resize(scopes);
            depth_ = loops_ = breakable_ = 0;
            skip_declaration();
            if (!tokens_[before].is("typedef")) continue;
            if (tokens_[at_ - 1].is("}")) skip_declaration();  // to behind its names
            mark_broken(before);
        }
        if (at_ == before) next();  // whatever it is, it must not stop us
    }
    report_withheld();
}

}  // namespace lab::lang
