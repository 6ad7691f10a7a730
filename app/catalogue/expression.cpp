#include "catalogue/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "base/problem.h"
#include "catalogue/header.h"

namespace lab::catalogue {
namespace {

using Int = std::int64_t;
using Result = std::optional<Int>;  // empty: overflow or division by zero

template <bool (*overflows)(Int, Int, Int*)>
Result checked(Int a, Int b, Int = 0) {
    Int value = 0;
    if (overflows(a, b, &value)) return {};
    return value;
}
bool add_overflows(Int a, Int b, Int* r) {
    return __builtin_add_overflow(a, b, r);
}
bool sub_overflows(Int a, Int b, Int* r) {
    return __builtin_sub_overflow(a, b, r);
}
bool mul_overflows(Int a, Int b, Int* r) {
    return __builtin_mul_overflow(a, b, r);
}

bool no_quotient(Int a, Int b) {
    return b == 0 || (a == INT64_MIN && b == -1);
}

Result divided(Int a, Int b, Int) {
    if (no_quotient(a, b)) return {};
    return a / b;
}
Result remainder(Int a, Int b, Int) {
    if (no_quotient(a, b)) return {};
    return a % b;
}
Result div_up(Int a, Int b, Int = 0) {
    if (b <= 0 || a < 0) return {};
    return a / b + (a % b != 0 ? 1 : 0);
}
Result round_up(Int a, Int b, Int) {
    const Result times = div_up(a, b);
    return times ? checked<mul_overflows>(*times, b) : times;
}
Result log2_up(Int a, Int = 0, Int = 0) {
    return a <= 1 ? 0 : 64 - std::countl_zero(static_cast<std::uint64_t>(a - 1));
}
Result power_of_two(Int a, Int, Int) {
    return a > 0 && (a & (a - 1)) == 0;
}
Result power_of_two_up(Int a, Int, Int) {
    const Int exponent = *log2_up(a);
    if (exponent > 62) return {};
    return Int{1} << exponent;
}

struct Operation {
    const char* name;
    int operands;
    int precedence;  // of an infix operator, higher binds tighter; 0: a prefix or a function
    Result (*apply)(Int, Int, Int);
};

constexpr std::array kOperations{
    Operation{"||", 2, 1, [](Int a, Int b, Int) -> Result { return a != 0 || b != 0; }},
    Operation{"&&", 2, 2, [](Int a, Int b, Int) -> Result { return a != 0 && b != 0; }},
    Operation{"==", 2, 3, [](Int a, Int b, Int) -> Result { return a == b; }},
    Operation{"!=", 2, 3, [](Int a, Int b, Int) -> Result { return a != b; }},
    Operation{"<=", 2, 4, [](Int a, Int b, Int) -> Result { return a <= b; }},
    Operation{">=", 2, 4, [](Int a, Int b, Int) -> Result { return a >= b; }},
    Operation{"<", 2, 4, [](Int a, Int b, Int) -> Result { return a < b; }},
    Operation{">", 2, 4, [](Int a, Int b, Int) -> Result { return a > b; }},
    Operation{"+", 2, 5, checked<add_overflows>},
    Operation{"-", 2, 5, checked<sub_overflows>},
    Operation{"*", 2, 6, checked<mul_overflows>},
    Operation{"/", 2, 6, divided},
    Operation{"%", 2, 6, remainder},
    Operation{"!", 1, 0, [](Int a, Int, Int) -> Result { return a == 0; }},
    Operation{"negate", 1, 0, [](Int a, Int, Int) { return checked<sub_overflows>(0, a); }},
    Operation{"min", 2, 0, [](Int a, Int b, Int) -> Result { return std::min(a, b); }},
    Operation{"max", 2, 0, [](Int a, Int b, Int) -> Result { return std::max(a, b); }},
    Operation{"div_up", 2, 0, div_up},
    Operation{"round_up", 2, 0, round_up},
    Operation{"log2", 1, 0, log2_up},
    Operation{"power_of_two", 1, 0, power_of_two},
    Operation{"power_of_two_up", 1, 0, power_of_two_up},
    Operation{"choose", 3, 0, [](Int a, Int b, Int c) -> Result { return a != 0 ? b : c; }},
};

Int operation(std::string_view name) {
    const auto* found = std::find_if(kOperations.begin(), kOperations.end(),
                                     [&](const Operation& of) { return name == of.name; });
    return found == kOperations.end() ? -1 : found - kOperations.begin();
}

Result applied(const Operation& operation, std::array<Result, 3> operands) {
    const std::string_view name = operation.name;
    const Result& first = operands[0];
    if (first && ((name == "&&" && *first == 0) || (name == "||" && *first != 0)))
        operands[1] = Int{0};  // not asked for
    if (first && name == "choose") operands[*first != 0 ? 2 : 1] = Int{0};
    for (const Result& operand : operands)
        if (!operand) return {};
    return operation.apply(*operands[0], *operands[1], *operands[2]);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

// Precedence climbing, straight to postfix.
class ExpressionParser {
  public:
    ExpressionParser(Expression& into, std::span<const std::string> known)
        : into_(into), text_(into.text_), known_(known) {}

    void parse() {
        infix(1);
        skip_blanks();
        if (at_ < text_.size()) fail(fmt::format("'{}' is not expected here", text_[at_]));
    }

  private:
    using Step = Expression::Step;

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }

    bool take(std::string_view token) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }

    void expect(std::string_view token) {
        if (!take(token)) fail(fmt::format("'{}' is expected here", token));
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw Problem(fmt::format("'{}' is no expression", text_), why,
                      "Write integers, names, + - * / %, comparisons, && || ! and the functions "
                      "min, max, div_up, round_up, log2, power_of_two, power_of_two_up, choose",
                      fmt::format("column {}", at_ + 1));
    }

    void emit(std::string_view name) {
        const Int place = operation(name);
        const Operation& found = kOperations[static_cast<std::size_t>(place)];
        into_.steps_.push_back(
            {Step::Kind::operation, place, std::string(name), found.operands, found.precedence});
    }

    void infix(int least) {
        if (++depth_ > 100) fail("it is nested too deeply");
        prefix();
        for (;;) {
            skip_blanks();
            const auto* found = std::find_if(
                kOperations.begin(), kOperations.end(), [&](const Operation& operation) {
                    return operation.precedence >= least &&
                           text_.substr(at_).starts_with(operation.name);
                });
            if (found == kOperations.end()) break;
            at_ += std::string_view(found->name).size();
            infix(found->precedence + 1);
            emit(found->name);
        }
        --depth_;
    }

    void prefix() {
        if (take("(")) {
            infix(1);
            expect(")");
        } else if (take("!")) {
            nested_prefix("!");
        } else if (take("-")) {
            nested_prefix("negate");
        } else if (at_ < text_.size() && is_digit(text_[at_])) {
            number();
        } else if (at_ < text_.size() && is_letter(text_[at_])) {
            name();
        } else {
            fail("a number, a name or '(' is expected here");
        }
    }

    void nested_prefix(std::string_view operation_name) {
        if (++depth_ > 100) fail("it is nested too deeply");
        prefix();
        --depth_;
        emit(operation_name);
    }

    void number() {
        Int value = 0;
        const char* first = text_.data() + at_;
        const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
        if (error != std::errc{}) fail("the number is too large");
        at_ += static_cast<std::size_t>(last - first);
        into_.steps_.push_back({Step::Kind::number, value, {}, 0, 0});
    }

    void name() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::string word(text_.substr(start, at_ - start));
        if (take("(")) {
            const Int found = operation(word);
            if (found < 0) {
                at_ = start;
                fail(fmt::format("there is no function '{}'", word));
            }
            for (int i = 0; i < kOperations[static_cast<std::size_t>(found)].operands; ++i) {
                if (i > 0) expect(",");
                infix(1);
            }
            expect(")");
            emit(word);
        } else {
            if (std::find(known_.begin(), known_.end(), word) == known_.end()) {
                at_ = start;
                fail(fmt::format("there is no variable '{}'", word));
            }
            into_.steps_.push_back({Step::Kind::variable, 0, word, 0, 0});
        }
    }

    Expression& into_;
    std::string_view text_;
    std::span<const std::string> known_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Expression::Expression(std::string_view text, std::span<const std::string> known) : text_(text) {
    ExpressionParser(*this, known).parse();
}

std::int64_t Expression::operator()(const Variables& variables) const {
    // What could not be worked out is nothing; && || and choose may do without it, as in C.
    std::vector<Result> stack;
    std::string failed;
    for (const Step& step : steps_) {
        switch (step.kind) {
            case Step::Kind::number:
                stack.emplace_back(step.number);
                break;
            case Step::Kind::variable: {
                const auto found = variables.find(step.name);
                if (found == variables.end())
                    throw Problem(fmt::format("'{}' cannot be worked out", text_),
                                  fmt::format("'{}' has no value here", step.name), "");
                stack.emplace_back(found->second);
                break;
            }
            case Step::Kind::operation: {
                const Operation& operation = kOperations[static_cast<std::size_t>(step.number)];
                std::array<Result, 3> operands{Int{0}, Int{0}, Int{0}};
                for (int i = operation.operands - 1; i >= 0; --i) {
                    operands[static_cast<std::size_t>(i)] = stack.back();
                    stack.pop_back();
                }
                stack.push_back(applied(operation, operands));
                if (!stack.back() && failed.empty()) failed = operation.name;
                break;
            }
        }
    }
    if (stack.empty()) return 0;
    if (!stack.back())
        throw Problem(fmt::format("'{}' cannot be worked out", text_),
                      fmt::format("'{}' overflows or divides by zero", failed), "");
    return *stack.back();
}

}  // namespace lab::catalogue
