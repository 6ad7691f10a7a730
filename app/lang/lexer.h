// Turns characters into tokens, before any macro is expanded.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "lang/source.h"
namespace lab::lang {

// All tokens of `sources[file]`, with one of kind `end` last. Comments and white space are skipped
// (they leave space_before and line_start); a backslash before a line's end joins two lines, also
// within a token, whose text is then kept in `spliced`. Texts of tokens point into the source or
// `spliced`, which must outlive them. Any bytes are allowed: a non-token is one of kind `unknown`,
// and an unterminated comment is an error; unterminated strings and characters are left to
// report_unterminated(), since a condition may leave out a text where an apostrophe is none.
//
// A line ends with \n or \r\n; a comment over several lines ends none, so that line_start says
// where a directive may begin. A code point beyond ASCII is one `unknown`, and so is an
// unterminated string or character, up to its line's end.
std::vector<Token> lex(const Sources& sources, std::uint16_t file, std::deque<std::string>& spliced,
                       Diagnostics& diagnostics);

// An error if the token is an unterminated string or character.
void report_unterminated(const Token& token, Diagnostics& diagnostics);

struct Scanned {
    Token::Kind kind = Token::Kind::end;
    std::size_t length = 0;  // in bytes
};

// The token that `text` begins with; none (`end`, 0) where it begins with white space or a comment,
// or is empty.
Scanned scan(std::string_view text);

// The byte that a character in quotes stands for: 'a', '\n', '\x41', '\101'; empty if it is none.
std::optional<std::uint8_t> character_of(std::string_view literal);

// How many bytes of `text` at `at` are a backslash and a line's end; 0 if there is none.
std::size_t splice_at(std::string_view text, std::size_t index);

}  // namespace lab::lang
