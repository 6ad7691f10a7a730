#include "figures/charts/measure_charts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "catalogue/number.h"
#include "figures/charts/measure_context.h"

namespace lab::figures {
namespace {

struct ChartEntry {
    MeasureChart chart;
    Scene (*draw)(const MeasureContext&);
};
constexpr auto kCharts = std::to_array<ChartEntry>({
    {{"time", "time against n"}, time_chart},
    {{"bandwidth", "GB/s against n, with the read ceiling"}, bandwidth_chart},
    {{"speedup", "at one n, against a baseline", true}, speedup_chart},
    {{"error", "relative error against n, with its bound"}, error_chart},
    {{"groups", "time by group size, at one n", true}, groups_chart},
    {{"ladder", "each step against the one before it, as predicted and as measured", true},
     ladder_chart},
});

// What the chosen steps come after, as far as it was measured: their gain is against it.
void add_before(std::vector<std::string>& chosen, std::span<const catalogue::GainStep> steps,
                const std::vector<Source>& sources) {
    const std::size_t asked = chosen.size();
    for (std::size_t i = 0; i < asked; ++i) {
        const catalogue::GainStep* step = find_step(steps, chosen[i]);
        if (step == nullptr) continue;
        for (const Source& source : sources)
            if (std::any_of(source.rows.begin(), source.rows.end(), [&](const results::Row* row) {
                    return row->variant == step->gain.after;
                })) {
                chosen.push_back(step->gain.after);
                break;
            }
    }
}

constexpr auto kList = [] {
    std::array<MeasureChart, kCharts.size()> list{};
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = kCharts[i].chart;
    return list;
}();

}  // namespace

std::span<const MeasureChart> measure_charts() {
    return kList;
}

std::string usual_chart(std::span<const results::Measurements> files) {
    std::set<std::uint64_t> sizes;
    bool by_group = false, ranked = false;
    for (const results::Measurements& file : files) {
        std::map<std::string, std::uint64_t> groups;  // the first of each variant
        for (const results::Row& row : file.rows) {
            sizes.insert(row.n);
            ranked |= row.ranked() && row.kind != "ceiling";
            by_group |= groups.try_emplace(row.variant, row.group).first->second != row.group;
        }
    }
    if (sizes.size() > 1) return "bandwidth";
    if (by_group) return "groups";
    return ranked ? "speedup" : "bandwidth";  // a speed-up is against what is right
}

std::uint64_t chosen_n(const MeasureContext& in, const std::vector<MeasuredSeries>& series,
                       const std::function<bool(const MeasuredSeries&, std::uint64_t)>& counts) {
    std::map<std::uint64_t, std::size_t> sizes;
    for (const MeasuredSeries& measured_series : series)
        for (const MeasuredRow& row : measured_series.rows)
            sizes.try_emplace(row.row->n, 0);
    for (auto& [n, count] : sizes)
        for (const MeasuredSeries& of : series)
            count += counts(of, n) ? 1U : 0U;
    if (in.options.n) {
        if (sizes.contains(*in.options.n)) return *in.options.n;
        std::vector<std::string> known;
        for (const auto& [n, count] : sizes)
            known.push_back(catalogue::size_text(n));
        throw Problem(fmt::format("The results have no rows of {} elements",
                                  catalogue::size_text(*in.options.n)),
                      "", fmt::format("There are: {}", fmt::join(known, ", ")), "--n");
    }
    // A size that all devices have, else one of the first, which is the one that was timed here: it
    // may not be missing where there are more rows of another.
    const auto has = [&](std::size_t source, std::uint64_t n) {
        return std::any_of(series.begin(), series.end(), [&](const MeasuredSeries& each) {
            return each.source == source && counts(each, n);
        });
    };
    const auto all_have = [&](std::uint64_t n) {
        for (std::size_t source = 0; source < in.sources.size(); ++source)
            if (!has(source, n)) return false;
        return true;
    };
    const auto keep = [&sizes](const auto& wanted) {
        const bool any = std::any_of(sizes.begin(), sizes.end(),
                                     [&](const auto& size) { return wanted(size.first); });
        if (any) std::erase_if(sizes, [&](const auto& size) { return !wanted(size.first); });
        return any;
    };
    if (!keep(all_have)) keep([&](std::uint64_t n) { return has(0, n); });
    std::size_t most = 0;
    for (const auto& [n, count] : sizes)
        most = std::max(most, count);
    std::uint64_t best = 0;
    for (const auto& [n, count] : sizes)
        if (2 * count > most) best = n;
    return best;
}

Scene measure_chart(std::span<const results::Measurements> files,
                    const MeasureChartOptions& options, const Fonts& fonts,
                    const Translations& tr) {
    const auto found = std::find_if(kCharts.begin(), kCharts.end(), [&](const ChartEntry& entry) {
        return options.chart == entry.chart.id;
    });
    if (found == kCharts.end()) {
        std::vector<const char*> ids;
        for (const MeasureChart& chart : measure_charts())
            ids.push_back(chart.id);
        throw Problem(fmt::format("There is no chart '{}'", options.chart), "",
                      fmt::format("Choose one of: {}", fmt::join(ids, ", ")), "--chart");
    }
    std::vector<Source> sources = sources_of(files, tr);
    std::vector<std::string> chosen = options.variants;
    // The baseline is needed even if it is not to be shown.
    if (!chosen.empty() && options.chart == "speedup" && !options.baseline.empty())
        chosen.push_back(options.baseline);
    if (!chosen.empty() && options.chart == "ladder") add_before(chosen, options.steps, sources);
    select(sources, chosen);
    return found->draw({sources, options, fonts, tr});
}

}  // namespace lab::figures
