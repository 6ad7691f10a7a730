// Macro expansion by the rules of C99 6.10.3.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "lang/text/diagnostics.h"
#include "lang/text/macro.h"
#include "lang/text/token.h"

namespace lab::lang {

// Whether this token, where it stands in a text, begins a directive.
bool starts_directive(const Token& token);

// The text of tokens, with one space wherever white space separates two.
std::string spelling(std::span<const Token> tokens);

// Reads a text's tokens and expands their macros. A macro's name within its own expansion is
// painted: it is never expanded. All work is counted, so that any text takes bounded time and
// memory; past the bound, stopped() is true and nothing more comes.
class Expansion {
  public:
    // `text`: all tokens, the last of kind `end`. All arguments must outlive this.
    Expansion(std::span<const Token> text, const Sources& sources, Macros& macros,
              std::deque<std::string>& spelled, Diagnostics& diagnostics);

    // The read position, an index in `text`.
    std::size_t at() const { return at_; }
    void seek(std::size_t index) { at_ = index; }
    bool stopped() const { return stopped_; }

    // Appends the next token to `out`, or what it expands to; takes arguments from the tokens that
    // follow, up to a directive. `text` at `at()` is neither the end nor a directive.
    enum class Step { copied, expanded, failed };
    Step step(std::vector<Token>& out);

    // The tokens of an #if, with `defined` evaluated first and then macros expanded.
    std::vector<Token> condition(std::span<const Token> line);

    // Counts `tokens` more; an error if that exceeds what a program may take.
    bool spend(std::size_t tokens, const Place& place);

  private:
    struct Piece {
        Token token;
        bool painted = false;
    };
    using Pieces = std::vector<Piece>;
    struct Argument {
        Pieces raw, expanded;
        bool is_expanded = false;
    };
    using Arguments = std::vector<Argument>;
    // The replacement of a macro use, which is read again; `macro` is open meanwhile.
    struct Frame {
        Pieces pieces;
        std::size_t at = 0;
        Macro* macro = nullptr;
    };

    void drop_finished();
    const Token* peek();
    bool read(Piece& piece);
    void push(Pieces pieces, Macro* macro, const Place& place);
    void stop(const Place& place, std::string message);
    void fail(const Place& place, std::string message, std::string hint = {});

    bool enter(Piece& piece);
    Token known_token(const Macro& macro, const Token& name);
    bool collect(const Token& name, const Macro& macro, Arguments& arguments);
    bool fits(const Token& name, const Macro& macro, Arguments& arguments);
    void paint(Piece& piece) const;

    Pieces substitute(const Macro& macro, const Token& name, Arguments& arguments);
    void put(const Macro& macro, std::size_t index, const Token& name, Arguments& arguments,
             Pieces& out);
    const Pieces& expanded(Argument& argument, const Place& place);
    void expand_alone(Pieces pieces, const Place& place, Pieces& out);
    Token decide_defined(const Token& defined);
    Token quoted(const Pieces& pieces, const Token& like);
    bool paste(Piece& left, const Piece& right);
    std::string_view keep(std::string text, const Place& place);

    std::span<const Token> text_;
    const Sources& sources_;
    Macros& macros_;
    std::deque<std::string>& spelled_;
    Diagnostics& diagnostics_;

    std::size_t at_ = 0;
    std::vector<Frame> frames_;
    std::size_t base_ = 0;  // frames below it belong to an interrupted expansion
    bool alone_ = false;    // nothing more is read from the text
    bool in_condition_ = false;
    std::size_t open_ = 0;     // macros that are open
    std::size_t spent_ = 0;    // tokens
    std::size_t counter_ = 0;  // for __COUNTER__
    bool replaced_ = false;    // in this step
    bool failed_ = false;      // in this step
    bool stopped_ = false;
};

}  // namespace lab::lang
