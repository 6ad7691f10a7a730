#include "catalogue/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/paths.h"
#include "base/platform.h"
#include "base/problem.h"
#include "base/text.h"
#include "catalogue/number.h"

namespace lab::catalogue {
namespace {

constexpr std::uint64_t kStandardCount = 8;

// SplitMix64 (Steele, Lea, Flood 2014) of the seed and the index.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed * 0xd1342543de82ef95U + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

// One factor in so many is not 1 or -1, in a product of n floats. A product rounds at each of the
// others by up to half of a last digit, and more often down than up: 2^26 of them are wrong by a
// tenth in any order.
std::uint64_t one_in(std::uint64_t n) {
    constexpr std::uint64_t kRoundingFactors = 4096;
    return std::max<std::uint64_t>(1, n / kRoundingFactors);
}

template <typename N>
N random_value(std::uint64_t bits, Op op, std::uint64_t one_in) {
    if constexpr (std::is_floating_point_v<N>) {
        const auto fraction = static_cast<N>(bits >> 40U) * static_cast<N>(0x1p-24);
        if (op != Op::product) return fraction;
        if ((bits & 0xffffffU) % one_in != 0) return (bits >> 40U & 1U) != 0 ? N(-1) : N(1);
        return 1 + (fraction - static_cast<N>(0.5)) * static_cast<N>(0x1p-13);
    } else {
        if (op != Op::product) return static_cast<N>((bits >> 32U) * 100 >> 32U);
        return static_cast<N>(2 * ((bits >> 32U) * 50 >> 32U) + 1);
    }
}

template <typename N>
N any_value(std::uint64_t bits, Op op, std::uint64_t one_in) {
    if constexpr (std::is_floating_point_v<N>) {
        const N size = op == Op::product ? random_value<N>(bits, op, one_in)
                                         : std::ldexp(1 + random_value<N>(bits, Op::add, 1),
                                                      static_cast<int>(bits >> 2U & 31U) % 21 - 10);
        return (bits & 1U) != 0 ? -size : size;
    } else {
        const auto value = static_cast<N>(bits);
        return op == Op::product ? static_cast<N>(value | 1) : value;
    }
}

Values counted(Values values, std::optional<std::uint64_t> n, std::string_view name) {
    const std::size_t count = count_of(values);
    if (n && *n != count)
        throw Problem(fmt::format("{} holds {} numbers, but n is {}", name, count, *n), "",
                      "Leave n out, or give as many numbers");
    return values;
}

}  // namespace

Input parse_input(std::string_view text) {
    if (text == "ramp") return {};
    if (text.starts_with('@')) {
        if (text.size() == 1)
            throw Problem("'@' names no file", "", "Write @ and the file's name, as @numbers.txt");
        return {Input::Kind::file, std::string(text.substr(1)), 0};
    }
    if (text == "random") return {Input::Kind::random, {}, 1};
    for (const auto& [word, kind] : {std::pair{std::string_view("random:"), Input::Kind::random},
                                     std::pair{std::string_view("bits:"), Input::Kind::bits}}) {
        if (!text.starts_with(word)) continue;
        const std::string_view digits = text.substr(word.size());
        const auto seed = parse_number<std::uint64_t>(digits);
        if (!seed)
            throw Problem(fmt::format("'{}' is no seed", digits), "A seed is a whole number",
                          fmt::format("Write {}42", word));
        return {kind, {}, *seed};
    }
    return {Input::Kind::values, std::string(text), 0};
}

std::string text_of(const Input& input) {
    switch (input.kind) {
        case Input::Kind::values:
            return input.text;
        case Input::Kind::file:
            return "@" + input.text;
        case Input::Kind::ramp:
            return "ramp";
        case Input::Kind::random:
            return fmt::format("random:{}", input.seed);
        case Input::Kind::bits:
            return fmt::format("bits:{}", input.seed);
    }
    return {};
}

Values make_values(const Input& input, Type type, std::optional<std::uint64_t> n, Op op) {
    switch (input.kind) {
        case Input::Kind::values:
            return counted(parse_values(input.text, type, "input"), n, "The input");
        case Input::Kind::file:
            return counted(parse_values(read_file(input.text), type, input.text), n, input.text);
        case Input::Kind::ramp:
        case Input::Kind::random:
        case Input::Kind::bits:
            break;
    }
    Values values = make_values(type, n.value_or(kStandardCount));
    constexpr std::size_t kLeast = std::size_t{1} << 20U;  // elements a thread: a few milliseconds
    std::visit(
        [&input, op](auto& into) {
            using N = typename std::decay_t<decltype(into)>::value_type;
            const std::uint64_t rare = one_in(into.size());
            in_parallel(into.size(), kLeast, [&](std::size_t first, std::size_t end) {
                for (std::size_t i = first; i < end; ++i) {
                    const std::uint64_t bits = random_bits(input.seed, i);
                    into[i] = input.kind == Input::Kind::ramp     ? static_cast<N>(i + 1)
                              : input.kind == Input::Kind::random ? random_value<N>(bits, op, rare)
                                                                  : any_value<N>(bits, op, rare);
                }
            });
        },
        values);
    return values;
}

}  // namespace lab::catalogue
