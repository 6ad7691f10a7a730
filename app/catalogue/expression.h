// Small integer expressions in kernel headers: "round_up(n, group)", "power_of_two(group)".
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace lab::catalogue {

using Variables = std::map<std::string, std::int64_t, std::less<>>;

// Integers, variables, + - * / %, comparisons, && || !, parentheses, and the functions min, max,
// div_up(a, b), round_up(a, b), log2(a) (rounded up; 0 for a <= 1), power_of_two(a) (whether it is
// one), power_of_two_up(a) (the next one), choose(a, b, c) (b if a is not 0, else c). 64 bits,
// signed; truth is 1 or 0; as in C, && || and choose need only the operands that count.
class Expression {
  public:
    Expression() = default;
    // Throws Problem (where = column within the text) if the text is not an expression, or names a
    // variable that is not in `known`.
    Expression(std::string_view text, std::span<const std::string> known);

    // Throws Problem on overflow, division by zero, or a variable without a value.
    std::int64_t operator()(const Variables& variables) const;

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }
    const std::set<std::string>& names() const { return names_; }  // of variables and functions

  private:
    std::string text_;
    std::set<std::string> names_;
};

// Binds tighter than any operator: an operand of * must be at least this.
inline constexpr int kFactor = 6;

// The expression as a C++ one of int64_t. Names in `numbers` are replaced by their number; where an
// operator binds less tightly than `least`, parentheses go around the whole.
std::string cpp_text(const Expression& expression, const Variables& numbers, int least = 0);

}  // namespace lab::catalogue
