// Macros, conditions and the other lines that begin with #.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"

namespace lab::lang {

struct Preprocessed {
    std::vector<Token> tokens;        // the last is of kind `end`, at the end of the last source
    std::deque<std::string> spelled;  // what token texts point to that stands in no source
};

// All sources one after another, macros expanded by the rules of C99 6.10: objects and functions
// (also variadic), # and ##, no macro within its own expansion, `#if` with integer arithmetic of 64
// bits, `defined`, #ifdef, #ifndef, #elif, #else, #endif, #undef, #error, #warning; #pragma and
// #line are skipped; #include is an error that names it. __LINE__, __FILE__ (a string) and
// __COUNTER__ are known. As all compilers have it, `, ## __VA_ARGS__` drops its comma where no
// further arguments are given. A directive among a macro's arguments is an error.
//
// Bounded on any bytes: more than kMostTokens tokens of output, or macros nested deeper than
// kDeepest, are an error, and so is twice as much work on the way; the output then ends there.
// `sources` must outlive the result.
inline constexpr std::size_t kMostTokens = 1'000'000;
inline constexpr std::size_t kDeepest = 200;
Preprocessed preprocess(const Sources& sources, Diagnostics& diagnostics);

// The text of `sources[file]` as it reads once its macros are expanded (those of the sources
// before it included) and its conditions decided: comments and line breaks as they are, lines
// left out by a condition and the directives themselves removed, #pragma kept. What cannot be
// expanded stays as it is. Where a macro's use goes over several lines, its expansion is one line,
// with as many line ends after it; the sources after `file` are not read.
std::string expanded_text(const Sources& sources, std::uint16_t file);

}  // namespace lab::lang
