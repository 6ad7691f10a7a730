// Manual pages as troff reads them, with the macros of man(7): plain ASCII, and every character
// that troff would take for its own escaped.
#pragma once

#include <string>
#include <string_view>

namespace lab::manual {

// A text as it is to be read. A hyphen stays what is typed, so that options can be copied.
std::string roff(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

// The page's first lines, with its NAME. `summary` is a phrase without a final stop.
std::string head(std::string_view program, std::string_view summary);
std::string section(std::string_view heading);
std::string subsection(std::string_view heading);
// These three take troff, as the functions above give it.
std::string opening(std::string_view marked);  // the first paragraph of a section
std::string paragraph(std::string_view marked);
std::string entry(std::string_view marked_term, std::string_view marked);
// What a command line does, and the line, which is not broken.
std::string example(std::string_view line, std::string_view does);

}  // namespace lab::manual
