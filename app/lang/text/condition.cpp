#include "lang/text/condition.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>

#include "lang/text/lexer.h"
#include "lang/text/macro.h"
#include "lang/text/preprocess.h"

namespace lab::lang {
namespace {

// Signed values are kept as their two's complement.
struct ConditionValue {
    std::uint64_t bits = 0;
    bool is_unsigned = false;

    bool negative() const { return !is_unsigned && (bits >> 63) != 0; }
};

ConditionValue truth(bool value) {
    return {value ? 1U : 0U, false};
}

std::uint64_t magnitude(const ConditionValue& number) {
    return number.negative() ? 0 - number.bits : number.bits;
}

bool less(const ConditionValue& a, const ConditionValue& b) {
    if (a.is_unsigned || b.is_unsigned) return a.bits < b.bits;
    return static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits);
}

// `b` is not 0.
ConditionValue divided(const ConditionValue& a, const ConditionValue& b, bool remainder) {
    if (a.is_unsigned || b.is_unsigned)
        return {remainder ? a.bits % b.bits : a.bits / b.bits, true};
    const std::uint64_t result =
        remainder ? magnitude(a) % magnitude(b) : magnitude(a) / magnitude(b);
    const bool negative = remainder ? a.negative() : a.negative() != b.negative();
    return {negative ? 0 - result : result, false};
}

ConditionValue shifted(const ConditionValue& a, const ConditionValue& count, bool left) {
    if (count.negative()) return shifted(a, {magnitude(count), true}, !left);
    const std::uint64_t sign = !left && a.negative() ? ~std::uint64_t{0} : 0;
    if (count.bits > 63) return {sign, a.is_unsigned};
    if (left) return {a.bits << count.bits, a.is_unsigned};
    const std::uint64_t filled = count.bits == 0 ? 0 : sign << (64 - count.bits);
    return {a.bits >> count.bits | filled, a.is_unsigned};
}

struct ConditionOperator {
    std::string_view text;
    int rank;  // binds closer where it is higher
    ConditionValue (*apply)(const ConditionValue&, const ConditionValue&);
};

template <typename Bits>
constexpr ConditionValue arithmetic(const ConditionValue& a, const ConditionValue& b, Bits bits) {
    return {bits(a.bits, b.bits), a.is_unsigned || b.is_unsigned};
}

using V = const ConditionValue&;
using U = std::uint64_t;
constexpr int kRankOr = 1, kRankAnd = 2, kRankDivision = 10;

constexpr std::array<ConditionOperator, 18> kOperators{{
    {"||", kRankOr, [](V a, V b) { return truth(a.bits != 0 || b.bits != 0); }},
    {"&&", kRankAnd, [](V a, V b) { return truth(a.bits != 0 && b.bits != 0); }},
    {"|", 3, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x | y; }); }},
    {"^", 4, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x ^ y; }); }},
    {"&", 5, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x & y; }); }},
    {"==", 6, [](V a, V b) { return truth(a.bits == b.bits); }},
    {"!=", 6, [](V a, V b) { return truth(a.bits != b.bits); }},
    {"<", 7, [](V a, V b) { return truth(less(a, b)); }},
    {">", 7, [](V a, V b) { return truth(less(b, a)); }},
    {"<=", 7, [](V a, V b) { return truth(!less(b, a)); }},
    {">=", 7, [](V a, V b) { return truth(!less(a, b)); }},
    {"<<", 8, [](V a, V b) { return shifted(a, b, true); }},
    {">>", 8, [](V a, V b) { return shifted(a, b, false); }},
    {"+", 9, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x + y; }); }},
    {"-", 9, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x - y; }); }},
    {"*", kRankDivision, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x * y; }); }},
    {"/", kRankDivision, [](V a, V b) { return divided(a, b, false); }},
    {"%", kRankDivision, [](V a, V b) { return divided(a, b, true); }},
}};

const ConditionOperator* operator_of(const Token& token) {
    if (token.kind != Token::Kind::punctuation) return nullptr;
    for (const ConditionOperator& one : kOperators)
        if (one.text == token.text) return &one;
    return nullptr;
}

class Condition {
  public:
    Condition(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics)
        : tokens_(tokens), directive_(directive), diagnostics_(diagnostics) {}

    bool holds() {
        if (tokens_.empty()) {
            diagnostics_.error(directive_, "expected a condition, but found the end of the line");
            return false;
        }
        const ConditionValue value = choice(true);
        if (!failed_ && at_ < tokens_.size()) expected("an operator or the end of the line");
        return !failed_ && value.bits != 0;
    }

  private:
    ConditionValue fail(const Place& place, std::string message, std::string hint = {}) {
        if (!failed_) diagnostics_.error(place, std::move(message), std::move(hint));
        failed_ = true;
        return {};
    }
    ConditionValue expected(std::string_view what) {
        const Place& place = at_ < tokens_.size() ? tokens_[at_].place : tokens_.back().place;
        return fail(place, fmt::format("expected {} in this condition, but found {}", what,
                                       name_of(tokens_, at_)));
    }

    bool is(std::string_view text) const {
        return at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::punctuation &&
               tokens_[at_].text == text;
    }
    bool accept(std::string_view text) {
        const bool found = is(text);
        if (found) ++at_;
        return found;
    }

    // `matters` is false in the operand that && || ?: leave out: it may divide by zero.
    ConditionValue choice(bool matters) {
        if (++depth_ > kDeepest) {
            --depth_;
            return fail(directive_,
                        fmt::format("this condition is nested deeper than {}", kDeepest));
        }
        ConditionValue value = binary(kRankOr, matters);
        if (!failed_ && accept("?")) {
            const bool first = value.bits != 0;
            const ConditionValue a = choice(matters && first);
            if (!failed_ && !accept(":")) expected("':'");
            const ConditionValue b = failed_ ? ConditionValue{} : choice(matters && !first);
            value = {first ? a.bits : b.bits, a.is_unsigned || b.is_unsigned};
        }
        --depth_;
        return value;
    }

    ConditionValue binary(int rank, bool matters) {
        ConditionValue left = operand(matters);
        while (!failed_ && at_ < tokens_.size()) {
            const ConditionOperator* found = operator_of(tokens_[at_]);
            if (found == nullptr || found->rank < rank) break;
            const Place& place = tokens_[at_++].place;
            const bool decided = (found->rank == kRankOr && left.bits != 0) ||
                                 (found->rank == kRankAnd && left.bits == 0);
            const ConditionValue right = binary(found->rank + 1, matters && !decided);
            if (failed_) break;
            const bool divides = found->text == "/" || found->text == "%";
            if (divides && right.bits == 0) {
                if (matters) return fail(place, "division by zero in this condition");
                left = {};
                continue;
            }
            left = found->apply(left, right);
        }
        return left;
    }

    ConditionValue operand(bool matters) {
        constexpr std::array<std::string_view, 4> kSigns{"!", "-", "+", "~"};
        const std::size_t first = at_;
        for (bool more = true; more;) {
            more = false;
            for (const std::string_view sign : kSigns)
                more |= accept(sign);
        }
        const std::size_t end = at_;
        ConditionValue value = primary(matters);
        for (std::size_t i = end; i > first; --i) {  // innermost first
            const char sign = tokens_[i - 1].text[0];
            if (sign == '!') value = truth(value.bits == 0);
            if (sign == '-') value.bits = 0 - value.bits;
            if (sign == '~') value.bits = ~value.bits;
        }
        return value;
    }

    ConditionValue primary(bool matters) {
        if (accept("(")) {
            const ConditionValue value = choice(matters);
            if (!failed_ && !accept(")")) expected("')'");
            return value;
        }
        if (at_ >= tokens_.size()) return expected("a value");
        const Token& token = tokens_[at_];
        switch (token.kind) {
            case Token::Kind::number:
                ++at_;
                return number(token);
            case Token::Kind::character:
                ++at_;
                return character(token);
            case Token::Kind::identifier:
                ++at_;
                if (is("("))
                    return fail(token.place,
                                fmt::format("'{}' is no macro that takes arguments", token.text));
                return {};
            default:
                return expected("a value");
        }
    }

    ConditionValue number(const Token& token) {
        std::string_view text = token.text;
        ConditionValue value;
        const std::size_t end = text.find_last_not_of("uUlL") + 1;
        const std::string_view suffix = text.substr(end);
        value.is_unsigned = suffix.find_first_of("uU") != std::string_view::npos;
        text = text.substr(0, end);

        int base = 10;
        if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
        if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
        if (base != 10) text.remove_prefix(2);
        if (base == 10 && text.size() > 1 && text[0] == '0') base = 8;

        const auto [rest, error] =
            std::from_chars(text.data(), text.data() + text.size(), value.bits, base);
        if (rest != text.data() + text.size() || error == std::errc::invalid_argument ||
            !is_suffix(suffix))
            return fail(token.place, fmt::format("'{}' is no integer, which a condition needs",
                                                 token.text.substr(0, 60)));
        if (error == std::errc::result_out_of_range)
            return fail(token.place, "this number does not fit into 64 bits");
        value.is_unsigned |= (value.bits >> 63) != 0;
        return value;
    }

    static bool is_suffix(std::string_view suffix) {
        std::string_view length = suffix;
        if (!length.empty() && (length.front() == 'u' || length.front() == 'U'))
            length.remove_prefix(1);
        else if (!length.empty() && (length.back() == 'u' || length.back() == 'U'))
            length.remove_suffix(1);
        return length.empty() || length == "l" || length == "L" || length == "ll" || length == "LL";
    }

    ConditionValue character(const Token& token) {
        std::string_view text = token.text.substr(1, token.text.size() - 2);
        const bool escaped = text.size() > 1 && text[0] == '\\';
        if (escaped) text.remove_prefix(1);
        if (escaped && (text[0] == 'x' || (text[0] >= '0' && text[0] <= '7')))
            return escaped_number(token, text);
        if (text.size() != 1)
            return fail(token.place, "a character in a condition is one of ASCII");
        if (!escaped) return {static_cast<unsigned char>(text[0]), false};
        constexpr std::string_view kLetters = "abtnvfr\\'\"?", kMeanings = "\a\b\t\n\v\f\r\\'\"?";
        const std::size_t found = kLetters.find(text[0]);
        if (found == std::string_view::npos) return fail(token.place, "this escape is not known");
        return {static_cast<unsigned char>(kMeanings[found]), false};
    }

    ConditionValue escaped_number(const Token& token, std::string_view text) {
        const int base = text[0] == 'x' ? 16 : 8;
        if (base == 16) text.remove_prefix(1);
        unsigned value = 0;
        const auto [rest, error] =
            std::from_chars(text.data(), text.data() + text.size(), value, base);
        if (error != std::errc{} || rest != text.data() + text.size() || value > 255)
            return fail(token.place, "this escape is no character");
        return {value, false};
    }

    std::span<const Token> tokens_;
    const Place& directive_;
    Diagnostics& diagnostics_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    bool failed_ = false;
};

}  // namespace

bool holds(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics) {
    return Condition(tokens, directive, diagnostics).holds();
}

}  // namespace lab::lang
