#include "gui/shell/frame_times.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <vector>

namespace lab::gui {
namespace {

double now_ms(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// The least of `sorted` that `part` of them do not exceed; in microseconds' precision.
double quantile(const std::vector<double>& sorted, double part) {
    if (sorted.empty()) return 0;
    const auto rank =
        static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
    const double value = sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
    return std::round(value * 1e3) / 1e3;
}

nlohmann::json summary_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return {{"median", quantile(times, 0.5)},
            {"p99", quantile(times, 0.99)},
            {"most", quantile(times, 1)}};
}

}  // namespace

double process_cpu_ms() {
    return now_ms(CLOCK_PROCESS_CPUTIME_ID);
}

void FrameTimes::begin() {
    wall_ = now_ms(CLOCK_MONOTONIC);
    cpu_ = process_cpu_ms();
}

void FrameTimes::end(bool playing) {
    costs_.push_back({now_ms(CLOCK_MONOTONIC) - wall_, process_cpu_ms() - cpu_, playing});
    if (costs_.size() > kMost) costs_.pop_front();
}

nlohmann::json FrameTimes::stats(const FrameCost& first, std::uint64_t frames) const {
    const auto of = [this](bool only_playing) {
        std::vector<double> wall, cpu;
        for (const FrameCost& cost : costs_)
            if (cost.playing || !only_playing) {
                wall.push_back(cost.wall_ms);
                cpu.push_back(cost.cpu_ms);
            }
        return nlohmann::json{
            {"count", wall.size()}, {"wall_ms", summary_of(wall)}, {"cpu_ms", summary_of(cpu)}};
    };
    return {{"first_frame_ms", first.wall_ms},
            {"first_frame_cpu_ms", first.cpu_ms},
            {"frames", frames},
            {"frame_times", {{"all", of(false)}, {"playing", of(true)}}}};
}

}  // namespace lab::gui
