// Macro definitions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"

namespace lab::lang {

struct Macro {
    struct Part {
        Token token;
        int parameter = -1;   // in parameters; -1: not one of them
        bool quoted = false;  // #parameter
        bool pasted = false;  // ## stands before it
    };
    enum class Known : std::uint8_t { no, line, file, counter };

    Place place;  // of its name where it is defined
    bool takes_arguments = false;
    bool variadic = false;  // the last parameter takes all further arguments
    std::vector<std::string_view> parameters;
    std::vector<Part> body;
    Known known = Known::no;
    bool open = false;  // it is being expanded, so its name stays unexpanded
};

using Macros = std::unordered_map<std::string_view, Macro>;

// __LINE__, __FILE__ and __COUNTER__.
Macros known_macros();

// Adds the macro that `line`, the tokens after #define, defines. `directive` is the place of the
// #define. An invalid definition is an error and changes nothing.
void define(std::span<const Token> line, const Place& directive, Macros& macros,
            Diagnostics& diagnostics);

// For messages: "'name'", or "the end of the line" where `line` has no such token.
std::string name_of(std::span<const Token> line, std::size_t index);

}  // namespace lab::lang
