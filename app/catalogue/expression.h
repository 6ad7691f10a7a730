// Small integer expressions in kernel headers: "round_up(n, group)", "power_of_two(group)".
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

    struct Step {
        enum class Kind : std::uint8_t { number, variable, operation } kind;
        std::int64_t number = 0;  // the number, or the operation's place in the table
        std::string name;         // of a variable, or an operation: "min", "+", "negate"
        int operands = 0;         // of an operation
        int precedence = 0;       // of an infix operator, higher binds tighter
    };

    const std::string& text() const { return text_; }
    bool empty() const { return steps_.empty(); }
    const std::vector<Step>& steps() const { return steps_; }  // postfix

  private:
    friend class ExpressionParser;
    std::string text_;
    std::vector<Step> steps_;
};

}  // namespace lab::catalogue
