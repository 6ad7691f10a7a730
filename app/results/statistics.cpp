#include "results/statistics.h"

#include <algorithm>
#include <cmath>

namespace lab::results {
namespace {

double quantile_of_sorted(const std::vector<double>& sorted, double part) {
    if (sorted.empty()) return 0;
    const double at = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double fraction = at - static_cast<double>(below);
    return sorted[below] + (sorted[above] - sorted[below]) * fraction;
}

std::optional<double> precision_of_sorted(const std::vector<double>& sorted, double middle) {
    constexpr std::size_t kFewest = 6;
    if (sorted.size() < kFewest || middle <= 0) return {};
    const auto n = static_cast<double>(sorted.size());
    const double reach = 0.98 * std::sqrt(n);
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - reach)));
    const auto high = std::min(sorted.size() - 1, static_cast<std::size_t>(n / 2 + reach));
    return (sorted[high] - sorted[low]) / 2 / middle;
}

}  // namespace

double median(std::vector<double> samples) {
    return quantile(std::move(samples), 0.5);
}

double quantile(std::vector<double> samples, double part) {
    std::sort(samples.begin(), samples.end());
    return quantile_of_sorted(samples, part);
}

Summary summary_of(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    Summary summary;
    summary.median = quantile_of_sorted(samples, 0.5);
    summary.q1 = quantile_of_sorted(samples, 0.25);
    summary.q3 = quantile_of_sorted(samples, 0.75);
    summary.p5 = quantile_of_sorted(samples, 0.05);
    summary.p95 = quantile_of_sorted(samples, 0.95);
    summary.precision = precision_of_sorted(samples, summary.median);
    return summary;
}

}  // namespace lab::results
