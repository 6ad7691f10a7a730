// Tokens: the smallest pieces of a text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lang/text/source.h"

namespace lab::lang {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        identifier,   // keywords too: the parser tells them apart
        number,       // a preprocessing number, 0x1f and 1.5e-3f among others
        character,    // 'a', with its quotes
        string,       // "a", with its quotes
        punctuation,  // the longest that fits: >>= before >>
        unknown,      // one character that begins no token
    } kind = Kind::end;
    bool space_before = false;  // white space or a comment stands before it
    bool line_start = false;    // it is the first of its line
    std::string_view text;
    Place place;

    bool is(std::string_view punctuation_or_word) const {
        return (kind == Kind::punctuation || kind == Kind::identifier) &&
               text == punctuation_or_word;
    }
};

}  // namespace lab::lang
