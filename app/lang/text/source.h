// The texts that make up a kernel's program, and places in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::lang {

// A run of characters in one line of one text. Lines and columns count from 1, columns in bytes.
// `line` 0 means no place. A token from a macro's body is placed where the outermost macro was
// used; `macro_line` and `macro_column` say where it is spelled (in `macro_file`). A macro's
// argument is placed where it is spelled.
struct Place {
    std::uint16_t file = 0;  // in Sources
    std::uint16_t macro_file = 0;
    std::uint32_t line = 0, column = 0, length = 0;
    std::uint32_t macro_line = 0, macro_column = 0;  // 0: not from a macro's body

    bool operator==(const Place&) const = default;
};

// From the start of `a` to the end of `b` where they share a line; else `a`.
Place joined(const Place& a, const Place& b);

struct Source {
    std::string name;  // for messages: "kernels/relaunch.cl", "<options>"
    std::string text;
    std::string included_as =
        {};  // what #include calls it: "inc/types.h"; empty: it is read anyhow
};

// Read one after another, as if they were one text; those to be included where a text asks for
// them.
using Sources = std::vector<Source>;

// The characters of the line without its end; empty if there is no such line.
std::string_view line_of(const Source& source, std::uint32_t line);

}  // namespace lab::lang
