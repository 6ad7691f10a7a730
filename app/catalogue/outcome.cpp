#include "catalogue/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lab::catalogue {
namespace {

Values every(const Values& values, std::uint64_t step) {
    return std::visit(
        [step](const auto& of) -> Values {
            std::decay_t<decltype(of)> picked;
            for (std::size_t i = 0; i < of.size(); i += step)
                picked.push_back(of[i]);
            return picked;
        },
        values);
}

Values first_of(const Values& values) {
    return std::visit(
        [](const auto& of) -> Values { return std::decay_t<decltype(of)>(1, of.front()); }, values);
}

bool same(const Values& values, std::size_t index, const Values& right) {
    return std::visit(
        [&](const auto& of) { return of[index] == std::get<std::decay_t<decltype(of)>>(right)[0]; },
        values);
}

Outcome ring_outcome(const Values& cells, const Reference& right) {
    Outcome outcome{{true, 0, 0}, text_of(right.value, 0)};
    for (std::size_t i = 0; i < count_of(cells) && outcome.verdict.right; ++i)
        if (!same(cells, i, right.value)) outcome = {{false, 0, 0}, text_of(cells, i)};
    return outcome;
}

// In so many significant digits; with an exponent only where it is large: "120", "3.6e14".
std::string rounded(long double value, int digits) {
    const std::string some = fmt::format("{:.{}e}", value, digits - 1);
    std::string text =
        fmt::format("{:.{}g}", std::strtold(some.c_str(), nullptr), std::max(digits, 12));
    if (const auto plus = text.find("e+"); plus != std::string::npos) {
        text.erase(plus + 1, 1);
        while (text[plus + 1] == '0' && plus + 2 < text.size())
            text.erase(plus + 1, 1);
    }
    return text;
}

// In as many digits as show how far it is from another value.
std::string apart(long double value, long double error) {
    int digits = 2;
    while (digits < 18 &&
           std::abs(std::strtold(rounded(value, digits).c_str(), nullptr) - value) > error / 20)
        ++digits;
    return rounded(value, digits);
}

// Of an integer: in full as long as it is read at a glance.
std::string in_short(long double value) {
    constexpr long double kMostInFull = 1e12L;
    return std::abs(value) < kMostInFull ? fmt::format("{:.0f}", value)
           : std::isinf(value)           ? "over 1e4932"
                                         : rounded(value, 3);
}

}  // namespace

std::string unwrapped(const Reference& right) {
    return right.wraps ? in_short(right.exact) : std::string();
}

Exactness exactness_of(const Outcome& outcome, const Reference& right) {
    using Kind = Exactness::Kind;
    if (!outcome.verdict.right) return {};
    if (right.wraps) return {Kind::wrapped, unwrapped(right), {}};
    if (outcome.result == text_of(right.value, 0) || !info(type_of(right.value)).floating)
        return {};
    const long double size = std::abs(right.exact), scale = size == 0 ? 1 : size;
    if (outcome.verdict.bound == 0 && outcome.verdict.error == 0)
        return right.only_nan || right.magnitude == 0
                   ? Exactness()
                   : Exactness{Kind::left_range, rounded(right.exact, 6), {}};
    const long double bound = outcome.verdict.bound * scale;
    return {bound < size ? Kind::within : Kind::no_digit,
            apart(right.exact, outcome.verdict.error * scale), rounded(bound, 2)};
}

Reference right_for(const Plan& plan, const Shape& shape, const Values& input) {
    if (plan.rounds == 0) return reference(input, shape.op);
    Reference result = ring_of_ones(shape.op, shape.type, plan.rounds);
    result.n = count_of(input);
    return result;
}

Values value_of(const Values& cells, const Plan& plan, Op op) {
    const bool parts = plan.expect == Expect::partial && !plan.launches.empty();
    return parts ? reference(every(cells, plan.every), op).value : first_of(cells);
}

Outcome outcome_of(const Values& cells, const Plan& plan, const Shape& shape,
                   const Reference& right) {
    if (plan.rounds > 0) return ring_outcome(cells, right);
    const Values whole = value_of(cells, plan, shape.op);
    return {judge(whole, right, shape.op, plan.depth), text_of(whole, 0)};
}

}  // namespace lab::catalogue
