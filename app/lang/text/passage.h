// What the preprocessor does to each part of the text; expanded_text() is built from it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lang/text/preprocess.h"

namespace lab::lang {

// A run of the text's tokens, from `first` up to but excluding `last`.
struct Passage {
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
    std::vector<Passage> passages;  // in the text's order; the rest is unchanged
};

// Preprocesses the first `count` sources.
Passages preprocess_passages(const Sources& sources, std::size_t count, Diagnostics& diagnostics);

}  // namespace lab::lang
