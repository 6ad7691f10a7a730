#include "lang/text/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/expression.h"
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
    std::string_view sign;
    int rank;  // binds closer where it is higher
    ConditionValue (*apply)(const ConditionValue&, const ConditionValue&);
};

template <typename Bits>
constexpr ConditionValue arithmetic(const ConditionValue& a, const ConditionValue& b, Bits bits) {
    return {bits(a.bits, b.bits), a.is_unsigned || b.is_unsigned};
}

using V = const ConditionValue&;
using U = std::uint64_t;

constexpr std::array<ConditionOperator, 18> kConditionOperators{{
    {"||", 1, [](V a, V b) { return truth(a.bits != 0 || b.bits != 0); }},
    {"&&", 2, [](V a, V b) { return truth(a.bits != 0 && b.bits != 0); }},
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
    {"*", 10, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x * y; }); }},
    {"/", 10, [](V a, V b) { return divided(a, b, false); }},
    {"%", 10, [](V a, V b) { return divided(a, b, true); }},
}};

// Tokens as one text, which the reader of expressions takes, and places in it as tokens.
class Condition {
  public:
    using Value = ConditionValue;
    using Reader = ExpressionReader<Condition>;
    static constexpr const auto& kOperators = kConditionOperators;
    static constexpr std::string_view kPrefixes = "!-+~";
    static constexpr bool kTernary = true;
    static constexpr std::size_t kMostNested = kDeepest, kMostPrefixes = SIZE_MAX;

    Condition(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics)
        : tokens_(tokens), directive_(directive), diagnostics_(diagnostics) {}

    bool holds() {
        if (tokens_.empty()) {
            diagnostics_.error(directive_, "expected a condition, but found the end of the line");
            return false;
        }
        try {
            for (const Token& token : tokens_) {
                starts_.push_back(text_.size());
                const bool literal = token.kind == Token::Kind::character ||
                                     (token.kind == Token::Kind::number && token.text[0] == '.');
                text_ += literal ? "0" : is_known(token) ? token.text : "@";
                text_ += ' ';
            }
            return truth(Reader(text_, *this).whole());
        } catch (const Failed&) {
            return false;
        }
    }

    static bool truth(const ConditionValue& value) { return value.bits != 0; }
    static ConditionValue choose(bool first, const ConditionValue& a, const ConditionValue& b) {
        return {first ? a.bits : b.bits, a.is_unsigned || b.is_unsigned};
    }
    static ConditionValue prefix(char sign, ConditionValue value, bool) {
        if (sign == '!') return lang::truth(value.bits == 0);
        if (sign == '-') value.bits = 0 - value.bits;
        if (sign == '~') value.bits = ~value.bits;
        return value;
    }
    ConditionValue infix(const ConditionOperator& operation, const ConditionValue& a,
                         const ConditionValue& b, std::size_t at, bool matters) const {
        if ((operation.sign == "/" || operation.sign == "%") && b.bits == 0) {
            if (matters) fail(token_at(at).place, "division by zero in this condition");
            return {};
        }
        return operation.apply(a, b);
    }
    static ConditionValue name(std::string_view, std::size_t, bool) { return {}; }
    ConditionValue call(Reader&, std::string_view name, std::size_t at, bool) const {
        fail(token_at(at).place, fmt::format("'{}' is no macro that takes arguments", name));
    }
    [[noreturn]] void misread(Misread wrong, std::size_t at, std::string_view sign) const {
        if (wrong == Misread::too_deep)
            fail(directive_, fmt::format("this condition is nested deeper than {}", kDeepest));
        const std::string what = wrong == Misread::missing ? fmt::format("'{}'", sign)
                                 : wrong == Misread::no_operand
                                     ? "a value"
                                     : "an operator or the end of the line";
        const std::size_t index = at < text_.size() ? index_at(at) : tokens_.size();
        fail((index < tokens_.size() ? tokens_[index] : tokens_.back()).place,
             fmt::format("expected {} in this condition, but found {}", what,
                         name_of(tokens_, index)));
    }

    ConditionValue number(std::string_view text, std::size_t at) const {
        const Token& token = token_at(at);
        if (token.kind == Token::Kind::character) return {character(token), false};
        const bool whole = text == token.text;  // else it is 1.5e-3 or the like
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
        if (!whole || rest != text.data() + text.size() || error == std::errc::invalid_argument ||
            !is_suffix(suffix))
            fail(token.place, fmt::format("'{}' is no integer, which a condition needs",
                                          token.text.substr(0, 60)));
        if (error == std::errc::result_out_of_range)
            fail(token.place, "this number does not fit into 64 bits");
        value.is_unsigned |= (value.bits >> 63) != 0;
        return value;
    }

  private:
    struct Failed {};
    [[noreturn]] void fail(const Place& place, std::string message) const {
        diagnostics_.error(place, std::move(message));
        throw Failed();
    }
    std::size_t index_at(std::size_t at) const {
        const auto next = std::upper_bound(starts_.begin(), starts_.end(), at);
        return static_cast<std::size_t>(next - starts_.begin() - 1);
    }
    const Token& token_at(std::size_t at) const { return tokens_[index_at(at)]; }
    static bool is_known(const Token& token) {
        const auto is = [&](std::string_view sign) { return sign == token.text; };
        if (token.kind == Token::Kind::identifier || token.kind == Token::Kind::number) return true;
        constexpr std::array<std::string_view, 6> kOthers{"(", ")", "?", ":", "!", "~"};
        return token.kind == Token::Kind::punctuation &&
               (std::any_of(kOthers.begin(), kOthers.end(), is) ||
                std::any_of(kOperators.begin(), kOperators.end(),
                            [&](const ConditionOperator& each) { return is(each.sign); }));
    }
    static bool is_suffix(std::string_view suffix) {
        std::string_view length = suffix;
        if (!length.empty() && (length.front() == 'u' || length.front() == 'U'))
            length.remove_prefix(1);
        else if (!length.empty() && (length.back() == 'u' || length.back() == 'U'))
            length.remove_suffix(1);
        return length.empty() || length == "l" || length == "L" || length == "ll" || length == "LL";
    }

    unsigned character(const Token& token) const {
        std::string_view text = token.text.substr(1, token.text.size() - 2);
        const bool escaped = text.size() > 1 && text[0] == '\\';
        if (escaped) text.remove_prefix(1);
        if (escaped && (text[0] == 'x' || (text[0] >= '0' && text[0] <= '7')))
            return escaped_number(token, text);
        if (text.size() != 1) fail(token.place, "a character in a condition is one of ASCII");
        if (!escaped) return static_cast<unsigned char>(text[0]);
        constexpr std::string_view kLetters = "abtnvfr\\'\"?", kMeanings = "\a\b\t\n\v\f\r\\'\"?";
        const std::size_t found = kLetters.find(text[0]);
        if (found == std::string_view::npos) fail(token.place, "this escape is not known");
        return static_cast<unsigned char>(kMeanings[found]);
    }

    unsigned escaped_number(const Token& token, std::string_view text) const {
        const int base = text[0] == 'x' ? 16 : 8;
        if (base == 16) text.remove_prefix(1);
        unsigned value = 0;
        const auto [rest, error] =
            std::from_chars(text.data(), text.data() + text.size(), value, base);
        if (error != std::errc{} || rest != text.data() + text.size() || value > 255)
            fail(token.place, "this escape is no character");
        return value;
    }

    std::span<const Token> tokens_;
    const Place& directive_;
    Diagnostics& diagnostics_;
    std::string text_;
    std::vector<std::size_t> starts_;  // of the tokens in it
};

}  // namespace

bool holds(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics) {
    return Condition(tokens, directive, diagnostics).holds();
}

}  // namespace lab::lang
