#include "figures/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "catalogue/number.h"

namespace lab::figures {
namespace {

// Rounding must not cost the mark at an end of the range.
constexpr double kSlack = 1e-9;

double scaled(Scale scale, double value) {
    switch (scale) {
        case Scale::linear:
            return value;
        case Scale::log2:
            return std::log2(value);
        case Scale::log10:
            return std::log10(value);
    }
    return value;
}

// base^k for each k that `step` divides.
std::vector<double> powers(Scale scale, Range range, int step) {
    const double base = scale == Scale::log2 ? 2 : 10;
    const double low = scaled(scale, range.low) - kSlack, high = scaled(scale, range.high) + kSlack;
    std::vector<double> values;
    for (double k = std::ceil(low / step) * step; k <= high; k += step)
        values.push_back(std::pow(base, k));
    return values;
}

std::vector<double> decades_in_three(Range range) {
    std::vector<double> values;
    for (double k = std::floor(std::log10(range.low)); k <= std::log10(range.high) + kSlack; ++k)
        for (const double part : {1.0, 2.0, 5.0}) {
            const double value = part * std::pow(10, k);
            if (value >= range.low * (1 - kSlack) && value <= range.high * (1 + kSlack))
                values.push_back(value);
        }
    return values;
}

std::vector<double> even_steps(Range range, double step) {
    std::vector<double> values;
    const double first = std::ceil(range.low / step - kSlack);
    for (double k = first; k * step <= range.high + step * kSlack; ++k)
        values.push_back(k * step);
    return values;
}

// 1-2-5 steps, from about twenty marks to two.
void add_even_choices(std::vector<std::vector<double>>& to, Range range) {
    const double span = range.high - range.low;
    const double decade = std::pow(10, std::floor(std::log10(span / 20)));
    for (const double part : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0})
        if (const double step = part * decade; span / step <= 20 && span / step >= 1)
            to.push_back(even_steps(range, step));
}

std::string superscript(int number) {
    constexpr std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(number)))
        text += kDigits[static_cast<std::size_t>(digit - '0')];
    return text;
}

std::string power_text(double value) {
    if (value <= 0) return fmt::format("{:g}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(value) + kSlack));
    const double part = value / std::pow(10, exponent);
    const std::string power = "10" + superscript(exponent);
    return std::abs(part - 1) < 1e-6 ? power : fmt::format("{:.3g}·{}", part, power);
}

std::string plain_text(double value) {
    if (std::abs(value) < 1e-12) return "0";
    std::string text = fmt::format("{:.10g}", value);
    if (value < 0 || value >= 1e-4 || value < 1e-8) return text;
    text = fmt::format("{:.12f}", value);  // "0.00005" rather than "5e-05"
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

}  // namespace

double part_of(Scale scale, Range range, double value) {
    const double low = scaled(scale, range.low), high = scaled(scale, range.high);
    return high > low ? (scaled(scale, value) - low) / (high - low) : 0.5;
}

Range range_of(Scale scale, const std::vector<double>& values) {
    Range range{std::numeric_limits<double>::infinity(), 0};
    if (scale == Scale::linear) range.high = -range.low;
    for (const double value : values) {
        if (!std::isfinite(value) || (scale != Scale::linear && value <= 0)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    if (range.low > range.high) return {1, 10};
    if (scale == Scale::linear) {
        if (range.high - range.low > std::abs(range.high) * 1e-6) return range;
        const double reach = std::max(std::abs(range.high) / 2, 0.5);
        return {range.low - reach, range.high + reach};
    }
    const double least = scale == Scale::log2 ? 2 : 3;  // from end to end
    if (range.high / range.low >= least) return range;
    const double reach = std::sqrt(least * range.low / range.high);
    return {range.low / reach, range.high * reach};
}

std::vector<std::vector<double>> tick_choices(Scale scale, Range range) {
    std::vector<std::vector<double>> result;
    if (scale == Scale::linear) {
        add_even_choices(result, range);
    } else if (scale == Scale::log2) {
        for (const int step : {1, 2, 4, 5, 10, 20})
            result.push_back(powers(scale, range, step));
    } else {
        std::vector<double> threes = decades_in_three(range);
        if (threes.size() < 3) add_even_choices(result, range);
        result.push_back(std::move(threes));
        for (const int step : {1, 2, 3, 6, 12, 24, 48})
            result.push_back(powers(scale, range, step));
    }
    std::erase_if(result, [](const std::vector<double>& choice) { return choice.empty(); });
    if (!result.empty() && result.back().size() > 1) result.push_back({result.back().front()});
    return result;
}

std::string tick_text(Unit unit, double value, const TimeSigns& signs) {
    switch (unit) {
        case Unit::plain:
            return plain_text(value);
        case Unit::elements:
            return value >= 1
                       ? catalogue::size_text(static_cast<std::uint64_t>(std::llround(value)))
                       : plain_text(value);
        case Unit::seconds:
            return seconds_text(value, signs);
        case Unit::powers:
            return power_text(value);
    }
    return {};
}

std::string seconds_text(double seconds, const TimeSigns& signs) {
    struct Step {
        double of;
        const std::string& name;
    };
    const std::array<Step, 4> steps{{{1, signs.seconds},
                                     {1e-3, signs.milliseconds},
                                     {1e-6, signs.microseconds},
                                     {1e-9, signs.nanoseconds}}};
    for (const Step& step : steps) {
        const double value = seconds / step.of;
        if (value < 0.9995 && &step != &steps.back()) continue;  // 0.9996 would be "1000 ms"
        return value >= 1000 ? fmt::format("{:.0f} {}", value, step.name)
                             : fmt::format("{:.3g} {}", value, step.name);
    }
    return {};
}

}  // namespace lab::figures
