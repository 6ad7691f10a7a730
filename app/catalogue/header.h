// The header comment of a kernel file: "key: value" lines in its first comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace lab::catalogue {

struct HeaderLine {
    std::string key, value;
    std::string where;  // file:line
};

// Throws a Problem about that line.
[[noreturn]] void refuse(const HeaderLine& line, std::string why, std::string hint);

// A key's value continues on the lines below it that are indented deeper than the keys.
class Header {
  public:
    // Throws Problem if the file does not start with a /* comment, or has a line not "key: value".
    Header(std::string file, std::string_view text);

    // Throws Problem for an unknown key, or one given twice that may be given only once.
    void check_keys() const;
    const HeaderLine& need(std::string_view key) const;  // throws Problem if it is missing or empty
    std::vector<HeaderLine> all(std::string_view key) const;
    const HeaderLine* find(std::string_view key) const;  // nullptr if it is not given

  private:
    std::string file_;
    std::vector<HeaderLine> lines_;
};

}  // namespace lab::catalogue
