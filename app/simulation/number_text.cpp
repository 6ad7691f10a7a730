#include "simulation/number_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace lab::simulation {
namespace {

constexpr std::string_view kApart = " \t\r\n\f\v,;";

std::optional<unsigned> character(std::string_view text) {
    if (text.size() < 3 || text.front() != '\'' || text.back() != '\'') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    if (text.size() == 1) return static_cast<unsigned char>(text[0]);
    constexpr std::array<std::pair<char, unsigned>, 7> kEscapes{
        {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'0', 0}, {'\\', '\\'}, {'\'', '\''}, {'"', '"'}}};
    if (text.size() == 2 && text[0] == '\\')
        for (const auto& [letter, value] : kEscapes)
            if (text[1] == letter) return value;
    return std::nullopt;
}

// Without the suffixes that C has for integers and floats.
std::string_view without_suffix(std::string_view text, bool hexadecimal, bool floating) {
    const std::string_view all = text;
    const std::string_view suffixes = hexadecimal || !floating ? "uUlL" : "uUlLfFhH";
    while (!text.empty() && suffixes.find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    const bool digit =
        !text.empty() && (text.back() == '.' || (text.back() >= '0' && text.back() <= '9'));
    return hexadecimal || digit ? text : all;
}

std::string plain(std::string_view text, bool floating) {
    if (text == "true") return "1";
    if (text == "false") return "0";
    if (const auto code = character(text)) return std::to_string(*code);
    std::string_view number = text;
    const bool negative = number.starts_with('-');
    if (negative || number.starts_with('+')) number.remove_prefix(1);
    const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    number = without_suffix(number, hexadecimal, floating);
    if (!hexadecimal) return fmt::format("{}{}", negative ? "-" : "", number);
    number.remove_prefix(2);
    std::uint64_t bits = 0;
    if (const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), bits, 16);
        error == std::errc{} && end == number.data() + number.size())
        return fmt::format("{}{}", negative ? "-" : "", bits);
    double value = 0;  // 0x1.8p-3
    if (const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(),
                                                  value, std::chars_format::hex);
        floating && error == std::errc{} && end == number.data() + number.size())
        return fmt::format("{}", negative ? -value : value);
    return std::string(text);
}

}  // namespace

std::string plain_numbers(std::string_view list, bool floating) {
    std::string result;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t word = std::min(list.find_first_not_of(kApart, at), list.size());
        result += list.substr(at, word - at);
        std::size_t end = std::min(list.find_first_of(kApart, word), list.size());
        if (word + 2 < list.size() && list[word] == '\'' && list[word + 2] == '\'')
            end = word + 3;  // ',' and ' '
        result += plain(list.substr(word, end - word), floating);
        at = end;
    }
    return result;
}

}  // namespace lab::simulation
