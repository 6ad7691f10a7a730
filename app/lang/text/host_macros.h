// The macros that a text expects from the program on the host, which passes them as -D options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/text/compile.h"

namespace lab::lang {

struct HostMacro {
    enum class Kind : std::uint8_t { type, word, number } kind = Kind::number;
    std::string name;
    std::string value;  // with which the text compiles: "float", "16"; of a word: nothing
    Place place;        // where it is first missed
};

// Empty if the text compiles as it is, or does not even with these. `kernel` as for compile().
std::vector<HostMacro> host_macros(const Text& text, std::string_view kernel = {});

// "TYPE=float", as an option has it.
std::string option_of(const HostMacro& macro);

}  // namespace lab::lang
