// What an instruction makes of values that are known, and when a comparison of a number that
// moves by one comes out otherwise.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "lang/code/code.h"

namespace lab::analysis {

// An instruction's arithmetic, where it is one of integers.
enum class Form : std::uint8_t { add, sub, mul, min, max, negate, shl, shr, eq, ne, lt, le };
struct Arithmetic {
    Form form = Form::add;
    lang::Number number = lang::Number::i32;
};
std::optional<Arithmetic> arithmetic_of(lang::Op op);
inline bool is_comparison(Form form) {
    return form >= Form::eq;
}

// The register that it writes, from those that it reads. Nothing: it is none of those that depend
// on them alone, or cannot be told here.
std::optional<std::uint64_t> result_of(const lang::Instruction& instruction, std::uint64_t a,
                                       std::uint64_t b, std::uint64_t c);
std::uint64_t canonical(lang::Number number, std::uint64_t bits);
bool is_wide(lang::Number number);  // 64 bits

inline constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

// In how many iterations, from this one on, a value that moves by `step`, 1 or -1, compares with
// the bound as it does now.
std::uint64_t iterations_alike(const Arithmetic& comparison, std::uint64_t value, std::int64_t step,
                               std::uint64_t bound, bool bound_first);
// … and until it overflows.
std::uint64_t iterations_without_overflow(lang::Number number, std::uint64_t value,
                                          std::int64_t step);

}  // namespace lab::analysis
