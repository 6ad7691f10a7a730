// What stands before the kernel: macros, types, tables and helper functions.
#pragma once

#include "context.h"

namespace lab::differential {

// Pragmas, and the macros that expressions call.
std::vector<std::string> header(std::uint64_t seed);
// enum, typedef, union, struct, constant tables.
void types_and_tables(Context& context);
// One function of a random kind, known from here on. `inputs` are buffers that the kernel has and
// that helpers may read through pointers.
struct Input {
    std::string name, qualifiers;  // "global const", "constant"
    Type type;
    unsigned count = 0;
};
void helper(Context& context, const std::vector<Input>& inputs);

}  // namespace lab::differential
