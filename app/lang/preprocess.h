// The preprocessor: macros, conditions and the other lines that begin with #.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/source.h"
namespace lab::lang {

struct Preprocessed {
    std::vector<Token> tokens;        // the last is of kind `end`, at the end of the last source
    std::deque<std::string> spelled;  // token texts that are in no source
};

// All sources in sequence, with macros expanded by the rules of C99 6.10: object-like and
// function-like (also variadic), # and ##, no macro within its own expansion, `#if` with 64-bit
// integer arithmetic, `defined`, #ifdef, #ifndef, #elif, #else, #endif, #undef, #error, #warning;
// #pragma and #line are skipped; #include is an error that names it. __LINE__, __FILE__ (a string)
// and __COUNTER__ are known. As in all compilers, `, ## __VA_ARGS__` drops its comma if no further
// arguments are given. A directive among a macro's arguments is an error.
//
// Bounded for any bytes: more than kMostTokens tokens of output, or macros nested deeper than
// kDeepest, are an error, and so is twice as much work on the way; the output then ends there.
// `sources` must outlive the result.
inline constexpr std::size_t kMostTokens = 1'000'000;  // of the preprocessed text; more are refused
inline constexpr std::size_t kDeepest = 200;  // macros, or parentheses of an #if; deeper is refused
Preprocessed preprocess(const Sources& sources, Diagnostics& diagnostics);

// The text of `sources[file]` with its macros expanded (including those of earlier sources) and its
// conditions evaluated: comments and line breaks are kept, lines excluded by a condition and the
// directives themselves are removed, #pragma is kept. What cannot be expanded is unchanged. A macro
// use over several lines expands to one line, with as many line ends after it; later sources are
// not read.
std::string expanded_text(const Sources& sources, std::uint16_t file);

// Macro definitions.

struct Macro {
    struct Part {
        Token token;
        int parameter = -1;   // in parameters; -1: not one of them
        bool quoted = false;  // #parameter
        bool pasted = false;  // ## stands before it
    };
    enum class Known : std::uint8_t { no, line, file, counter };

    Place place;  // of its name where it is defined
    bool takes_arguments = false;
    bool variadic = false;  // the last parameter takes all further arguments
    std::vector<std::string_view> parameters;
    std::vector<Part> body;
    Known known = Known::no;
    bool open = false;  // it is being expanded, so its name stays unexpanded
};

using Macros = std::unordered_map<std::string_view, Macro>;

// __LINE__, __FILE__ and __COUNTER__.
Macros known_macros();

// Adds the macro that `line`, the tokens after #define, defines. `directive` is the place of the
// #define. An invalid definition is an error and changes nothing.
void define(std::span<const Token> line, const Place& directive, Macros& macros,
            Diagnostics& diagnostics);

// For messages: "'name'", or "the end of the line" where `line` has no such token.
std::string name_of(std::span<const Token> line, std::size_t index);

// Macro expansion by the rules of C99 6.10.3.

// True if this token, where it stands in a text, begins a directive.
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

// Evaluates the expression of an #if.

// True if the expression in `tokens` is nonzero: 64-bit integers, signed unless suffixed with u;
// names that are not macros are 0. Macros are expanded and `defined` evaluated before. `directive`
// is the place of the #if. Anything else is an error, and false.
bool holds(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics);

// Records what the preprocessor does to each part of the text; expanded_text() is built from it.

// A run of the text's tokens, from `first` up to but excluding `last`.
struct ExpansionRange {
    enum class Kind : std::uint8_t {
        expanded,  // is replaced by the output's tokens from `begin` up to `end`
        left_out   // a directive with its line, or lines that a condition excludes
    } kind = Kind::expanded;
    std::size_t first = 0, last = 0;
    std::size_t begin = 0, end = 0;
};

struct Passages {
    std::vector<Token> text;  // all tokens that were read, one of kind `end` last
    Preprocessed output;
    std::vector<ExpansionRange> passages;  // in the text's order; the rest is unchanged
};

// Preprocesses the first `count` sources.
Passages preprocess_passages(const Sources& sources, std::size_t count, Diagnostics& diagnostics);

}  // namespace lab::lang
