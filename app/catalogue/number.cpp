#include "catalogue/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"

namespace lab::catalogue {
namespace {

constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 48;

// All of `text` as a number, or an error.
template <typename N>
std::errc whole_number(std::string_view text, N& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end != text.data() + text.size())
        return std::errc::invalid_argument;
    return error;
}

[[noreturn]] void no_size(std::string_view text, const char* why, std::string_view where) {
    throw Problem(fmt::format("'{}' is no size", text), why,
                  "Write a count as 1000, 2^20, 10Mi or 1e6", std::string(where));
}

struct Unit {
    const char* suffix;
    std::uint64_t times;
};
constexpr std::array kUnits{Unit{"Ki", 1U << 10}, Unit{"Mi", 1U << 20}, Unit{"Gi", 1U << 30},
                            Unit{"k", 1'000},     Unit{"M", 1'000'000}, Unit{"G", 1'000'000'000}};

struct Token {
    std::string_view text;
    std::size_t line = 1, column = 1;
};

[[noreturn]] void no_value(const Token& token, Type type, std::string_view name, std::errc error) {
    const std::string where = fmt::format("{}:{}:{}", name, token.line, token.column);
    std::string shown(token.text.substr(0, 40));
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    const char* type_name = info(type).name;
    if (error == std::errc::result_out_of_range)
        throw Problem(fmt::format("'{}' does not fit the type {}", shown, type_name),
                      "The number is too large or too small",
                      !info(type).floating && shown.starts_with('-')
                          ? "Choose int, long, float or double"
                      : type == Type::double_ ? "A double goes up to about 1.8e308"
                                              : "Choose a wider type",
                      where);
    double as_double = 0;
    if (!info(type).floating && whole_number(token.text, as_double) == std::errc{})
        throw Problem(fmt::format("'{}' is no {}", shown, type_name),
                      "Integer types take whole numbers only", "Choose the type float or double",
                      where);
    throw Problem(fmt::format("'{}' is no number", shown), "",
                  "Write numbers separated by blanks, commas or line ends", where);
}

template <typename N>
void append(std::vector<N>& into, const Token& token, Type type, std::string_view name) {
    N value{};
    std::errc error = whole_number(token.text, value);
    // An unsigned type refuses "-1" as no number at all; say that it does not fit.
    if (std::int64_t negative = 0; std::is_unsigned_v<N> && error == std::errc::invalid_argument &&
                                   token.text.starts_with('-') &&
                                   whole_number(token.text, negative) == std::errc{})
        error = std::errc::result_out_of_range;
    if (error != std::errc{}) no_value(token, type, name, error);
    into.push_back(value);
}

}  // namespace

std::uint64_t parse_size(std::string_view text, std::string_view where) {
    const std::string_view all = trimmed(text);
    std::uint64_t value = 0;
    if (const auto hat = all.find('^'); hat != std::string_view::npos) {
        std::uint64_t base = 0;
        std::uint64_t power = 0;
        if (whole_number(all.substr(0, hat), base) != std::errc{} ||
            whole_number(all.substr(hat + 1), power) != std::errc{})
            no_size(text, "Both sides of ^ must be whole numbers", where);
        if (power > 64) no_size(text, "It is too large", where);
        value = 1;
        for (; power > 0; --power)
            if (__builtin_mul_overflow(value, base, &value))
                no_size(text, "It is too large", where);
    } else {
        std::uint64_t times = 1;
        std::string_view digits = all;
        for (const Unit& unit : kUnits)
            if (all.ends_with(unit.suffix)) {
                digits = trimmed(all.substr(0, all.size() - std::string_view(unit.suffix).size()));
                times = unit.times;
                break;
            }
        if (whole_number(digits, value) != std::errc{}) {
            double real = 0;
            if (whole_number(digits, real) != std::errc{} || !(real >= 0)) no_size(text, "", where);
            real *= static_cast<double>(times);
            if (real > static_cast<double>(kMaxSize)) no_size(text, "It is too large", where);
            if (real != std::trunc(real)) no_size(text, "It is no whole number", where);
            value = static_cast<std::uint64_t>(real);
        } else if (__builtin_mul_overflow(value, times, &value)) {
            no_size(text, "It is too large", where);
        }
    }
    if (value > kMaxSize) no_size(text, "It is larger than 2^48", where);
    return value;
}

Extent parse_extent(std::string_view text) {
    Extent extent;
    extent.dims = 0;
    for (std::string_view rest = text;; rest.remove_prefix(rest.find('x') + 1)) {
        if (extent.dims == extent.sizes.size())
            throw Problem(fmt::format("'{}' has too many dimensions", text),
                          "A launch has one, two or three", "Write 64, 8x8 or 4x4x4");
        const std::string_view part = rest.substr(0, rest.find('x'));
        if (trimmed(part).empty())
            throw Problem(fmt::format("'{}' is no size of a launch", text), "A number is missing",
                          "Write 64, 8x8 or 4x4x4");
        extent.sizes[extent.dims++] = parse_size(part);
        if (rest.find('x') == std::string_view::npos) return extent;
    }
}

std::vector<std::uint64_t> parse_sizes(std::string_view text) {
    std::vector<std::uint64_t> sizes;
    for (const std::string& part : split(text, ',')) {
        if (const auto dots = part.find(".."); dots != std::string::npos) {
            const std::uint64_t first = parse_size(part.substr(0, dots));
            const std::uint64_t last = parse_size(part.substr(dots + 2));
            if (first == 0 || first > last)
                throw Problem(fmt::format("'{}' is no range of sizes", part),
                              "A range starts at 1 or more and rises", "Write 2^16..2^26");
            for (std::uint64_t n = first; n < last; n *= 2)
                sizes.push_back(n);
            sizes.push_back(last);
        } else {
            sizes.push_back(parse_size(part));
        }
    }
    sort_unique(sizes);
    return sizes;
}

Values parse_values(std::string_view text, Type type, std::string_view name) {
    Values values = make_values(type, 0);
    constexpr std::string_view kBetween = " \t\r\n\f\v,;";
    Token token;
    constexpr std::string_view kMark = "\xef\xbb\xbf";  // some editors begin a file with it
    std::size_t line_start = text.starts_with(kMark) ? kMark.size() : 0;
    for (std::size_t index = line_start; index < text.size();) {
        if (kBetween.find(text[index]) != std::string_view::npos) {
            if (text[index] == '\n') {
                ++token.line;
                line_start = index + 1;
            }
            ++index;
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(kBetween, index), text.size());
        token.text = text.substr(index, end - index);
        token.column = index - line_start + 1;
        std::visit([&](auto& into) { append(into, token, type, name); }, values);
        index = end;
    }
    return values;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::array kNames{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < kNames.size(); ++unit)
        value /= 1024;
    return fmt::format("{:.4g} {}", value, kNames[unit]);
}

std::string figure_text(double value) {
    if (value >= 1000) return fmt::format("{:.0f}", value);
    const std::string text = fmt::format("{:#.4g}", value);
    return text.find('e') == std::string::npos ? text : fmt::format("{:.4g}", value);
}

std::string size_text(std::uint64_t n) {
    constexpr std::array<const char*, 4> kNames{"", " Ki", " Mi", " Gi"};
    std::size_t unit = 0;
    while (unit + 1 < kNames.size() && n != 0 && n % 1024 == 0) {
        n /= 1024;
        ++unit;
    }
    return fmt::format("{}{}", n, kNames[unit]);
}

std::vector<std::uint64_t> parse_groups(std::string_view text) {
    std::vector<std::uint64_t> groups;
    for (std::size_t index = 0; index < text.size();) {
        const std::size_t end = std::min(text.find(',', index), text.size());
        const std::uint64_t group = parse_size(text.substr(index, end - index));
        if (group == 0)
            throw Problem("A group has at least one work-item", "", "Write --group 256", "--group");
        if (!contains(groups, group)) groups.push_back(group);
        index = end + 1;
    }
    return groups;
}

}  // namespace lab::catalogue
