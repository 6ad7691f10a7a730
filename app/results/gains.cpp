#include "results/gains.h"

#include <algorithm>

namespace lab::results {

static bool counts(const Row& row) {
    return row.ranked() && row.summary().median > 0;
}

std::string gain_kind(const DeviceInfo& device) {
    if (device.kind == "CPU") return "cpu";
    return device.kind == "GPU" ? "gpu" : "";
}

const Row* row_of_step(std::span<const Row* const> rows, std::span<const catalogue::GainStep> steps,
                       const std::string& id, std::uint64_t n) {
    const catalogue::GainStep* step = find_step(steps, id);
    const std::map<std::string, std::string> as_it_is;
    const auto& meant = step == nullptr ? as_it_is : step->gain.set;
    const Row* other = nullptr;
    for (const Row* row : rows) {
        if (row->kind != "variant" || row->variant != id || row->n != n) continue;
        if (row->set == meant) return row;
        if (other == nullptr && !row->ranked()) other = row;
    }
    return other;
}

MeasuredGain measured_gain(std::span<const Row* const> rows,
                           std::span<const catalogue::GainStep> steps,
                           const catalogue::GainStep& step, std::uint64_t n) {
    MeasuredGain gain;
    gain.row = row_of_step(rows, steps, step.id, n);
    gain.before = row_of_step(rows, steps, step.gain.after, n);
    if (gain.row == nullptr || gain.before == nullptr) return gain;
    if (!counts(*gain.row) || !counts(*gain.before)) return gain;
    const double before = gain.before->summary().median;
    const Summary now = gain.row->summary();
    gain.factor = before / now.median;
    if (now.q1 > 0 && now.q3 > now.q1) {
        gain.low = before / now.q3;
        gain.high = before / now.q1;
    }
    return gain;
}

std::map<std::uint64_t, std::size_t> gains_by_size(std::span<const Row* const> rows,
                                                   std::span<const catalogue::GainStep> steps) {
    std::map<std::uint64_t, std::size_t> result;
    for (const Row* row : rows)
        result.try_emplace(row->n, 0);
    for (auto& [n, count] : result)
        for (const catalogue::GainStep& step : steps)
            count += measured_gain(rows, steps, step, n).factor > 0 ? 1U : 0U;
    std::erase_if(result, [](const auto& entry) { return entry.second == 0; });
    return result;
}

std::uint64_t common_size(const std::map<std::uint64_t, std::size_t>& by_size) {
    std::size_t most = 0;
    for (const auto& [n, count] : by_size)
        most = std::max(most, count);
    std::uint64_t best = 0;
    for (const auto& [n, count] : by_size)
        if (2 * count > most) best = n;
    return best;
}

}  // namespace lab::results
