// What a cell of an array holds: a number of its type, or nothing if it was never written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lang/tree/type.h"

namespace lab::analysis {

struct CellValue {
    std::optional<std::uint64_t> bits;  // as a register holds them; empty: never written
    lang::Scalar type = lang::Scalar::int_;
};

// The value at that index of an array's bytes; empty past their end.
CellValue value_in(std::span<const std::byte> bytes, std::uint64_t index, lang::Scalar type);

// The shortest text that reads back to the same value; "?" if never written.
std::string text_of(const CellValue& value);

// The value of a text: of `type` if that reads back to the same text, else of the widest type that
// does. Empty for any other text.
CellValue value_of(const std::string& text, lang::Scalar type);

// Whether they have the same text: 5 is 5, signed or not.
bool operator==(const CellValue& a, const CellValue& b);

// As a floating-point number; NaN if never written.
double number_of(const CellValue& value);

}  // namespace lab::analysis
