#include "lang/text/expansion.h"

#include <fmt/format.h>

#include <utility>

#include "lang/text/lexer.h"
#include "lang/text/preprocess.h"

namespace lab::lang {
namespace {

// Of intermediate expansions too; some 50 bytes and 50 ns each.
constexpr std::size_t kMostSpent = 2 * kMostTokens;

std::string arguments_word(std::size_t count) {
    if (count == 0) return "no arguments";
    return fmt::format("{} argument{}", count, count == 1 ? "" : "s");
}

std::string given_words(std::size_t count) {
    if (count == 0) return "none is given";
    return count == 1 ? "1 is given" : fmt::format("{} are given", count);
}

}  // namespace

bool starts_directive(const Token& token) {
    return token.line_start && token.is("#");
}

std::string spelling(std::span<const Token> tokens) {
    std::string text;
    for (const Token& token : tokens) {
        if (!text.empty() && (token.space_before || token.line_start)) text += ' ';
        text += token.text;
    }
    return text;
}

Expansion::Expansion(std::span<const Token> text, const Sources& sources, Macros& macros,
                     std::deque<std::string>& spelled, Diagnostics& diagnostics)
    : text_(text),
      sources_(sources),
      macros_(macros),
      spelled_(spelled),
      diagnostics_(diagnostics) {}

Expansion::Step Expansion::step(std::vector<Token>& out) {
    replaced_ = failed_ = false;
    Piece piece;
    do {
        if (!read(piece)) break;
        const Place place = piece.token.place;
        if (!enter(piece)) out.push_back(piece.token);
        if (out.size() > kMostTokens)
            stop(place, fmt::format("the program has more than {} tokens", kMostTokens));
        drop_finished();
    } while (!frames_.empty());
    if (failed_) return Step::failed;
    return replaced_ ? Step::expanded : Step::copied;
}

bool Expansion::spend(std::size_t tokens, const Place& place) {
    spent_ += tokens;
    if (spent_ > kMostSpent)
        stop(place, fmt::format("the macros expand to more than {} tokens", kMostSpent));
    return !stopped_;
}

void Expansion::stop(const Place& place, std::string message) {
    if (!stopped_) fail(place, std::move(message));
    stopped_ = true;
}

void Expansion::fail(const Place& place, std::string message, std::string hint) {
    failed_ = true;
    diagnostics_.error(place, std::move(message), std::move(hint));
}

void Expansion::drop_finished() {
    while (frames_.size() > base_ && frames_.back().at == frames_.back().pieces.size()) {
        if (Macro* macro = frames_.back().macro) {
            macro->open = false;
            --open_;
        }
        frames_.pop_back();
    }
}

// The token that read() would give next; null where it would give none.
const Token* Expansion::peek() {
    drop_finished();
    if (stopped_) return nullptr;
    if (frames_.size() > base_) return &frames_.back().pieces[frames_.back().at].token;
    const Token& next = text_[at_];
    if (alone_ || next.kind == Token::Kind::end || starts_directive(next)) return nullptr;
    return &next;
}

bool Expansion::read(Piece& piece) {
    const Token* next = peek();
    if (next == nullptr) return false;
    if (frames_.size() > base_) {
        piece = frames_.back().pieces[frames_.back().at++];
    } else {
        piece = {*next, false};
        ++at_;
        report_unterminated(piece.token, diagnostics_);
    }
    return true;
}

void Expansion::push(Pieces pieces, Macro* macro, const Place& place) {
    if (!spend(1, place)) return;
    if (frames_.size() >= kDeepest)
        return stop(place, fmt::format("macros are nested deeper than {} here", kDeepest));
    if (macro != nullptr) {
        macro->open = true;
        ++open_;
    }
    frames_.push_back({std::move(pieces), 0, macro});
}

void Expansion::paint(Piece& piece) const {
    if (open_ == 0 || piece.token.kind != Token::Kind::identifier) return;
    const auto found = macros_.find(piece.token.text);
    piece.painted |= found != macros_.end() && found->second.open;
}

// Whether the piece was a macro's use, whose expansion is to be read instead of it.
bool Expansion::enter(Piece& piece) {
    if (piece.token.kind != Token::Kind::identifier || piece.painted) return false;
    const auto found = macros_.find(piece.token.text);
    if (found == macros_.end()) return false;
    Macro& macro = found->second;
    piece.painted = macro.open;
    if (macro.open) return false;
    if (macro.known != Macro::Known::no) {
        piece.token = known_token(macro, piece.token);
        replaced_ = true;
        return false;
    }

    const Token name = piece.token;
    Arguments arguments;
    if (macro.takes_arguments) {
        const Token* next = peek();
        if (next == nullptr || !next->is("(")) return false;
        if (!collect(name, macro, arguments)) {
            piece.painted = true;
            return false;
        }
    }
    Pieces pieces = substitute(macro, name, arguments);
    if (!pieces.empty()) {
        pieces[0].token.space_before = name.space_before;
        pieces[0].token.line_start = name.line_start;
    }
    push(std::move(pieces), &macro, name.place);
    replaced_ = true;
    return true;
}

Token Expansion::known_token(const Macro& macro, const Token& name) {
    Token token = name;
    token.kind = Token::Kind::number;
    if (macro.known == Macro::Known::line)
        token.text = keep(std::to_string(name.place.line), name.place);
    if (macro.known == Macro::Known::counter)
        token.text = keep(std::to_string(counter_++), name.place);
    if (macro.known == Macro::Known::file) {
        std::string text = "\"";
        for (const char c : sources_[name.place.file].name) {
            if (c == '"' || c == '\\') text += '\\';
            text += c;
        }
        token.kind = Token::Kind::string;
        token.text = keep(text + '"', name.place);
    }
    return token;
}

// Reads from the '(' to its ')'.
bool Expansion::collect(const Token& name, const Macro& macro, Arguments& arguments) {
    Piece piece;
    read(piece);
    arguments.emplace_back();
    std::size_t depth = 0;
    while (read(piece)) {
        if (!spend(1, name.place)) return false;
        if (piece.token.kind == Token::Kind::punctuation && piece.token.text.size() == 1) {
            const char c = piece.token.text[0];
            if (c == ')' && depth == 0) return fits(name, macro, arguments);
            if (c == ')') --depth;
            if (c == '(') ++depth;
            const bool takes_commas = macro.variadic && arguments.size() == macro.parameters.size();
            if (c == ',' && depth == 0 && !takes_commas) {
                arguments.emplace_back();
                continue;
            }
        }
        paint(piece);
        piece.token.space_before |= piece.token.line_start;
        piece.token.line_start = false;
        arguments.back().raw.push_back(piece);
    }
    if (stopped_) return false;
    if (!alone_ && starts_directive(text_[at_]))
        fail(text_[at_].place, fmt::format("a directive cannot stand among the arguments of macro "
                                           "'{}'",
                                           name.text));
    else
        fail(name.place, fmt::format("the arguments of macro '{}' have no closing ')'", name.text));
    return false;
}

bool Expansion::fits(const Token& name, const Macro& macro, Arguments& arguments) {
    const std::size_t wanted = macro.parameters.size();
    const bool nothing = arguments.size() == 1 && arguments[0].raw.empty();
    if (nothing && wanted == 0) {
        arguments.clear();
        return true;
    }
    // As all compilers have it, the comma before what `...` takes may be left out too.
    if (macro.variadic && arguments.size() + 1 == wanted) arguments.emplace_back();
    if (arguments.size() == wanted) return true;

    const std::size_t given = nothing ? 0 : arguments.size();
    fail(name.place,
         fmt::format("macro '{}' takes {}{}, but {}", name.text, macro.variadic ? "at least " : "",
                     arguments_word(macro.variadic ? wanted - 1 : wanted), given_words(given)),
         fmt::format("It is defined at {}:{}", sources_[macro.place.file].name, macro.place.line));
    return false;
}

std::vector<Token> Expansion::condition(std::span<const Token> line) {
    Pieces pieces, out;
    for (const Token& token : line) {
        pieces.push_back({token});
        report_unterminated(token, diagnostics_);
    }
    in_condition_ = true;
    if (!line.empty()) expand_alone(std::move(pieces), line[0].place, out);
    in_condition_ = false;

    std::vector<Token> tokens;
    for (const Piece& piece : out)
        tokens.push_back(piece.token);
    return tokens;
}

// Expands the pieces as if they were all there is.
void Expansion::expand_alone(Pieces pieces, const Place& place, Pieces& out) {
    if (!spend(pieces.size(), place)) return;
    push(std::move(pieces), nullptr, place);
    if (stopped_) return;
    const std::size_t outer_base = std::exchange(base_, frames_.size() - 1);
    const bool outer_alone = std::exchange(alone_, true);
    Piece piece;
    while (read(piece)) {
        if (in_condition_ && piece.token.is("defined"))
            piece = {decide_defined(piece.token), true};
        else if (enter(piece))
            continue;
        if (!spend(1, place)) break;
        out.push_back(piece);
    }
    base_ = outer_base;
    alone_ = outer_alone;
}

// What `defined`, which was read, and the name after it stand for.
Token Expansion::decide_defined(const Token& defined) {
    Token result = defined;
    result.kind = Token::Kind::number;
    result.text = "0";
    Piece piece{defined};
    bool found = read(piece);
    const bool in_parentheses = found && piece.token.is("(");
    if (in_parentheses) found = read(piece);
    if (!found || piece.token.kind != Token::Kind::identifier) {
        fail(piece.token.place, fmt::format("expected a macro's name after 'defined', but found {}",
                                            name_of({&piece.token, 1}, found ? 0 : 1)));
        return result;
    }
    if (macros_.contains(piece.token.text)) result.text = "1";
    if (in_parentheses && !(read(piece) && piece.token.is(")")))
        fail(piece.token.place, "expected ')' after 'defined(' and a macro's name");
    return result;
}

}  // namespace lab::lang
