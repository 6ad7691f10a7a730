// The preprocessor: macros, conditions and the other lines that begin with #.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"

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
inline constexpr std::size_t kMostTokens = 1'000'000;
inline constexpr std::size_t kDeepest = 200;
Preprocessed preprocess(const Sources& sources, Diagnostics& diagnostics);

// The text of `sources[file]` with its macros expanded (including those of earlier sources) and its
// conditions evaluated: comments and line breaks are kept, lines excluded by a condition and the
// directives themselves are removed, #pragma is kept. What cannot be expanded is unchanged. A macro
// use over several lines expands to one line, with as many line ends after it; later sources are
// not read.
std::string expanded_text(const Sources& sources, std::uint16_t file);

}  // namespace lab::lang
