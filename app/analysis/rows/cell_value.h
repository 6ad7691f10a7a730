// What a cell of an array holds: a number of its type, or nothing that anybody wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lang/tree/type.h"

namespace lab::analysis {

struct CellValue {
    std::optional<std::uint64_t> bits;  // as a register holds them; empty: nobody wrote it
    lang::Scalar type = lang::Scalar::int_;
};

// The one at that place of an array's bytes; nothing behind their end.
CellValue value_in(std::span<const std::byte> bytes, std::uint64_t index, lang::Scalar type);

// The shortest text that reads back to the same value; "?" where nobody wrote.
std::string text_of(const CellValue& value);

// The value of that text: of `type` if it reads back from it, else of the widest type that it does.
// Nothing for any other text.
CellValue value_of(const std::string& text, lang::Scalar type);

// Whether they read alike: 5 is 5, be it signed or not.
bool operator==(const CellValue& a, const CellValue& b);

// As a floating-point number; not a number where nobody wrote.
double number_of(const CellValue& value);

}  // namespace lab::analysis
