// Statistics of samples: median, spread, and the median's confidence interval.
#pragma once

#include <optional>
#include <vector>

namespace lab::results {

double median(std::vector<double> samples);  // 0 for none

// The quantile `part` (0 to 1), interpolated between neighbours (Hyndman and Fan 1996, definition
// 7). 0 for none.
double quantile(std::vector<double> samples, double part);

struct Summary {
    double median = 0, q1 = 0, q3 = 0, p5 = 0, p95 = 0;
    // Half the width of the median's 95 % confidence interval, relative to it; empty for fewer than
    // six samples, which bound it on no side.
    std::optional<double> precision;
};

// The interval's ends are order statistics, ranks n/2 -+ 0.98 sqrt(n) (Conover 1999, section 3.2).
Summary summary_of(std::vector<double> samples);

}  // namespace lab::results
