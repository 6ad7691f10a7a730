// Reads expressions as C has them, and works them out meanwhile: those of kernel headers, of
// lessons, and of #if.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text.h"

namespace lab {

// The ways in which an expression's text is wrong: something after its end, a sign that is missing,
// no operand where one belongs, or more nesting than is allowed.
enum class Misread : std::uint8_t { leftover, missing, no_operand, too_deep };

// The Domain says what values are. It has
//   Value, kOperators (of .sign and .rank, which is from 1 up and binds tighter where it is
//   higher), kPrefixes ("!-"), kTernary (whether there is ?:), kMostNested (parentheses in each
//   other), kMostPrefixes; number(text, at), name(text, at, matters), prefix(sign, value, matters),
//   infix(operator, a, b, at, matters), truth(value), and with kTernary choose(first, a, b);
//   call(reader, name, at, matters), after "(": it reads the arguments and ")";
//   misread(Misread, at, sign), which throws.
// `at` is a place in the text. `matters` is false for operands that && || ?: leave out: they need
// have no value.
template <typename Domain>
class ExpressionReader {
  public:
    using Value = typename Domain::Value;

    ExpressionReader(std::string_view text, Domain& domain) : text_(text), domain_(domain) {}

    Value whole(bool matters = true) {
        const Value value = expression(matters);
        skip();
        if (at_ < text_.size()) domain_.misread(Misread::leftover, at_, {});
        return value;
    }

    Value expression(bool matters) {
        if (++nested_ > Domain::kMostNested) domain_.misread(Misread::too_deep, at_, {});
        Value value = binary(1, matters);
        if constexpr (Domain::kTernary) {
            if (take("?")) {
                const bool first = domain_.truth(value);
                const Value a = expression(matters && first);
                need(":");
                const Value b = expression(matters && !first);
                value = domain_.choose(first, a, b);
            }
        }
        --nested_;
        return value;
    }

    // For calls, which may have arguments of a form of their own.
    std::size_t at() {
        skip();
        return at_;
    }
    void seek(std::size_t at) { at_ = at; }
    std::string_view rest() { return text_.substr(at()); }
    bool take(std::string_view sign) {
        if (!rest().starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    void need(std::string_view sign) {
        if (!take(sign)) domain_.misread(Misread::missing, at_, sign);
    }
    std::string_view word() {
        const std::size_t start = at();
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        return text_.substr(start, at_ - start);
    }

  private:
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    void skip() {
        constexpr std::string_view kBlanks = " \t\r\n\v\f";
        while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    Value binary(int rank, bool matters) {
        Value left = operand(matters);
        for (;;) {
            const std::string_view after = rest();
            const auto* found = Domain::kOperators.data() + Domain::kOperators.size();
            std::size_t length = 0;
            for (const auto& each : Domain::kOperators) {
                const std::string_view sign = each.sign;
                if (sign.size() <= length || !after.starts_with(sign)) continue;
                found = &each;
                length = sign.size();
            }
            if (length == 0 || found->rank < rank) return left;
            const std::string_view sign = found->sign;
            const std::size_t at = at_;
            at_ += length;
            const bool decided =
                (sign == "||" && domain_.truth(left)) || (sign == "&&" && !domain_.truth(left));
            const Value right = binary(found->rank + 1, matters && !decided);
            left = domain_.infix(*found, left, right, at, matters);
        }
    }

    Value operand(bool matters) {
        const std::size_t first = at();
        std::size_t levels = 0;
        for (; at_ < text_.size() && Domain::kPrefixes.find(text_[at_]) != std::string_view::npos;
             skip()) {
            ++at_;
            ++levels;
        }
        const std::size_t end = at_;
        if (levels > Domain::kMostPrefixes) domain_.misread(Misread::too_deep, end, {});
        Value value = primary(matters);
        for (std::size_t i = end; i-- > first;)  // innermost first
            if (Domain::kPrefixes.find(text_[i]) != std::string_view::npos)
                value = domain_.prefix(text_[i], value, matters);
        return value;
    }

    Value primary(bool matters) {
        if (take("(")) {
            const Value value = expression(matters);
            need(")");
            return value;
        }
        const std::size_t start = at();
        const char c = at_ < text_.size() ? text_[at_] : '\0';
        if (is_digit(c)) {
            while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) ||
                                          // "0..7" is no decimal point
                                          (text_[at_] == '.' && text_.substr(at_, 2) != "..")))
                ++at_;
            return domain_.number(text_.substr(start, at_ - start), start);
        }
        if (!is_letter(c)) domain_.misread(Misread::no_operand, start, {});
        const std::string_view name = word();
        return take("(") ? domain_.call(*this, name, start, matters)
                         : domain_.name(name, start, matters);
    }

    std::string_view text_;
    Domain& domain_;
    std::size_t at_ = 0, nested_ = 0;
};

}  // namespace lab
