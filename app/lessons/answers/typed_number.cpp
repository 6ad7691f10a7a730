#include "lessons/answers/typed_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace lab::lessons {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Other writings of the same signs; blanks of all kinds and apostrophes only group digits.
std::string in_ascii(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kSigns{{
        {"\xe2\x88\x92", "-"}, {"\xe2\x80\x93", "-"},  // minus, dash
        {"\xc3\x97", "*"},     {"\xc2\xb7", "*"},     {"\xe2\x8b\x85", "*"},
        {"\xc3\xb7", "/"},  // times, dots, divided by
        {"\xc2\xa0", " "},     {"\xe2\x80\xaf", " "}, {"\xe2\x80\x89", " "},
        {"\xe3\x80\x80", " "},  // blanks
        {"\xe2\x80\x99", "'"}, {"\xef\xbc\x8c", ","}, {"\xef\xbc\x8e", "."},
        {"\xef\xbc\x88", "("}, {"\xef\xbc\x89", ")"}, {"\xef\xbc\x8b", "+"},
        {"\xef\xbc\x8d", "-"}, {"\xef\xbc\x8a", "*"}, {"\xef\xbc\x8f", "/"},
        {"**", "^"},
    }};
    std::string result;
    while (!text.empty()) {
        const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& each) {
            return text.starts_with(each.first);
        });
        if (sign != kSigns.end()) {
            result += sign->second;
            text.remove_prefix(sign->first.size());
        } else if (text.starts_with("\xef\xbc") && text.size() > 2 &&
                   static_cast<unsigned char>(text[2]) >= 0x90 &&
                   static_cast<unsigned char>(text[2]) <= 0x99) {  // full-width digits
            result += static_cast<char>('0' + static_cast<unsigned char>(text[2]) - 0x90);
            text.remove_prefix(3);
        } else {
            result += text.front();
            text.remove_prefix(1);
        }
    }
    return result;
}

// Arithmetic over numbers; `commas`: they stand between thousands, else they are decimal ones.
class Sum {
  public:
    Sum(std::string_view text, bool commas) : text_(text), commas_(commas) {}

    std::optional<double> value() {
        const std::optional<double> result = sum();
        skip();
        if (!result || at_ < text_.size() || !std::isfinite(*result)) return std::nullopt;
        return result;
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void skip() {
        while (peek() == ' ' || peek() == '\t')
            ++at_;
    }
    bool next(char sign) {
        skip();
        if (peek() != sign) return false;
        ++at_;
        return true;
    }

    std::optional<double> sum() {
        std::optional<double> left = product();
        while (left) {
            const bool plus = next('+');
            if (!plus && !next('-')) break;
            const std::optional<double> right = product();
            if (!right) return right;
            left = plus ? *left + *right : *left - *right;
        }
        return left;
    }
    std::optional<double> product() {
        std::optional<double> left = power();
        while (left) {
            const bool times = next('*');
            if (!times && !next('/')) break;
            const std::optional<double> right = power();
            if (!right) return right;
            left = times ? *left * *right : *left / *right;
        }
        return left;
    }
    std::optional<double> power() {
        if (++depth_ > 50) return std::nullopt;
        if (next('-')) {
            const std::optional<double> value = power();
            return value ? std::optional(-*value) : value;
        }
        (void)next('+');
        const std::optional<double> base = atom();
        if (!base || !next('^')) return base;
        const std::optional<double> exponent = power();
        return exponent ? std::optional(std::pow(*base, *exponent)) : exponent;
    }
    std::optional<double> atom() {
        if (!next('(')) return number();
        const std::optional<double> value = sum();
        return next(')') ? value : std::nullopt;
    }

    // Digits up to here are a group of three, and no more follow.
    bool three_digits() const {
        return is_digit(peek(1)) && is_digit(peek(2)) && is_digit(peek(3)) && !is_digit(peek(4));
    }

    std::optional<double> number() {
        skip();
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            char* end = nullptr;
            const std::string digits(text_.substr(at_));
            const auto value = std::strtoull(digits.c_str(), &end, 16);
            at_ += static_cast<std::size_t>(end - digits.c_str());
            return static_cast<double>(value);
        }
        std::string digits;
        bool point = false;
        for (;; ++at_) {
            const char c = peek();
            if (is_digit(c)) {
                digits += c;
            } else if ((c == ' ' || c == '\'' || (c == ',' && commas_)) && !point &&
                       !digits.empty() && three_digits()) {
                continue;
            } else if ((c == '.' || (c == ',' && !commas_)) && !point) {
                point = true;
                digits += '.';
            } else {
                break;
            }
        }
        if (std::none_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
        if (const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 2 : 1;
            (peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
            digits += text_.substr(at_, sign);
            for (at_ += sign; is_digit(peek()); ++at_)
                digits += peek();
        }
        return std::strtod(digits.c_str(), nullptr) * unit();
    }

    // "2Ki", "10 M", "50 %": a percentage is asked for as such.
    double unit() {
        skip();
        constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{{"Ki", 0x1p10},
                                                                             {"Mi", 0x1p20},
                                                                             {"Gi", 0x1p30},
                                                                             {"ki", 0x1p10},
                                                                             {"k", 1e3},
                                                                             {"K", 1e3},
                                                                             {"M", 1e6},
                                                                             {"G", 1e9},
                                                                             {"%", 1}}};
        for (const auto& [name, factor] : kUnits)
            if (text_.substr(at_).starts_with(name)) {
                at_ += name.size();
                return factor;
            }
        return 1;
    }

    std::string_view text_;
    bool commas_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

std::vector<double> typed_numbers(std::string_view text) {
    const std::string clean = in_ascii(text.substr(0, 200));
    std::vector<double> numbers;
    for (const bool commas : {true, false})
        if (const auto value = Sum(clean, commas).value();
            value && std::find(numbers.begin(), numbers.end(), *value) == numbers.end())
            numbers.push_back(*value);
    return numbers;
}

}  // namespace lab::lessons
