// The marks of an axis: their places and labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab::figures {

enum class Scale : std::uint8_t { linear, log2, log10 };
enum class Unit : std::uint8_t {
    plain,     // "0.5", "200"
    elements,  // "64 Ki", "1 Mi"
    seconds,   // "20 µs", "1 ms"
    powers,    // "10⁻⁷"
};

struct Range {
    double low = 0, high = 1;
};

// The position of `value` between range.low (0) and range.high (1). On a scale of
// logarithms all three must be above 0.
double part_of(Scale scale, Range range, double value);

// All that holds `values`, and some room where they are one or nearly so. What a scale of
// logarithms cannot show is passed over.
Range range_of(Scale scale, const std::vector<double>& values);

// Sets of values for marks within the range, from the densest to the sparsest: powers of two, of
// ten, and 1-2-5 steps of them. The last has one at most.
std::vector<std::vector<double>> tick_choices(Scale scale, Range range);

// The signs of the units of time, in the reader's language.
struct TimeSigns {
    std::string seconds = "s", milliseconds = "ms", microseconds = "µs", nanoseconds = "ns";
};

std::string tick_text(Unit unit, double value, const TimeSigns& signs = {});

// To three digits, with the unit that keeps them short: "1.23 ms".
std::string seconds_text(double seconds, const TimeSigns& signs = {});

}  // namespace lab::figures
