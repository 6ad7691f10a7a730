// UTF-8 that may be damaged: read without ever failing, written always valid.
#pragma once

#include <string>
#include <string_view>

namespace lab::figures {

// The code points of `text`; U+FFFD for each byte that is no part of a valid one.
std::u32string decode_utf8(std::string_view text);

// `code` must be a code point that decode_utf8 can give.
void append_utf8(std::string& text, char32_t code);

}  // namespace lab::figures
