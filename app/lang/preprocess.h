// The preprocessor: macros, conditions and the other lines that begin with #.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
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

// The text of tokens, with one space wherever white space separates two.
std::string spelling(std::span<const Token> tokens);

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
