// How many times as fast each variant is as a baseline, at one size.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "catalogue/number.h"
#include "figures/charts/measure_context.h"
#include "figures/plot/bars.h"

namespace lab::figures {
namespace {

// The first step of the ladder, as lectures count: "what did each step gain?". Where it was not
// measured, the slowest variant that is right.
constexpr const char* kUsualBaseline = "ladder-1-modulo";

const MeasuredRow* row_at(const MeasuredSeries& series, std::uint64_t n) {
    const auto found = std::find_if(series.rows.begin(), series.rows.end(),
                                    [&](const MeasuredRow& row) { return row.row->n == n; });
    return found == series.rows.end() ? nullptr : &*found;
}

bool can_be_baseline(const MeasuredSeries& series, std::uint64_t n) {
    const MeasuredRow* row = row_at(series, n);
    return row != nullptr && row->row->ranked() && row->ms.median > 0;
}

// What all are compared with.
struct Baseline {
    std::string variant;
    std::vector<const MeasuredRow*> rows;  // on each device; null where it was not measured
};

const MeasuredSeries* slowest(const std::vector<MeasuredSeries>& series, std::uint64_t n) {
    const MeasuredSeries* found = nullptr;
    for (const char* kind : {"variant", "reference"}) {
        for (const MeasuredSeries& measured_series : series) {
            if (measured_series.kind != kind || !can_be_baseline(measured_series, n)) continue;
            if (found == nullptr ||
                row_at(measured_series, n)->ms.median > row_at(*found, n)->ms.median)
                found = &measured_series;
        }
        if (found != nullptr) return found;
    }
    return nullptr;
}

[[noreturn]] void throw_no_baseline(const std::string& asked,
                                    const std::vector<MeasuredSeries>& series, std::uint64_t n) {
    std::vector<std::string> known;
    for (const MeasuredSeries& measured_series : series)
        if (can_be_baseline(measured_series, n) &&
            std::find(known.begin(), known.end(), measured_series.variant) == known.end())
            known.push_back(measured_series.variant);
    if (known.empty())
        throw Problem(
            "There is nothing to compare with",
            fmt::format("No row at n = {} is right and bound to be so", catalogue::size_text(n)),
            "Measure a variant that is correct as well", "--baseline");
    throw Problem(
        fmt::format("'{}' cannot be the baseline at n = {}", asked, catalogue::size_text(n)),
        "It was not measured there, or its result is not bound to be right",
        fmt::format("Choose one of: {}", fmt::join(known, ", ")), "--baseline");
}

Baseline baseline_of(const MeasureContext& in, const std::vector<MeasuredSeries>& series,
                     std::uint64_t n) {
    Baseline baseline;
    baseline.variant = in.options.baseline;
    const auto has = [&](const std::string& id) {
        return std::any_of(
            series.begin(), series.end(), [&](const MeasuredSeries& measured_series) {
                return measured_series.variant == id && can_be_baseline(measured_series, n);
            });
    };
    if (!baseline.variant.empty()) {
        if (!has(baseline.variant)) throw_no_baseline(baseline.variant, series, n);
    } else if (has(kUsualBaseline)) {
        baseline.variant = kUsualBaseline;
    } else if (const MeasuredSeries* of = slowest(series, n)) {
        baseline.variant = of->variant;
    } else {
        throw_no_baseline("", series, n);
    }
    baseline.rows.resize(in.sources.size(), nullptr);
    for (const MeasuredSeries& of : series)
        if (of.variant == baseline.variant && can_be_baseline(of, n) &&
            baseline.rows[of.source] == nullptr)
            baseline.rows[of.source] = row_at(of, n);
    return baseline;
}

Bar bar_of(const MeasuredSeries& series, const MeasuredRow& row, const MeasuredRow& against,
           const MeasureContext& in) {
    Bar bar;
    bar.name = series.name;
    bar.look = series.look;
    bar.tip = row_tip(row, series.name, in.sources[series.source], in.tr);
    const RowStanding standing = standing_of(*row.row);
    if (standing == RowStanding::wrong) {
        bar.standing = BarStanding::none;
        bar.figure = in.tr("chart.wrong_not_ranked");
        return bar;
    }
    const double base = against.ms.median;
    bar.value = base / row.ms.median;
    if (row.ms.q1 > 0 && row.ms.q3 > row.ms.q1) {
        bar.low = base / row.ms.q3;
        bar.high = base / row.ms.q1;
    }
    bar.figure = factor_text(bar.value);
    if (row.row == against.row) bar.figure += "  " + in.tr("chart.baseline");
    if (standing != RowStanding::ranked) {
        bar.standing = BarStanding::muted;
        bar.figure += "  " + in.tr("chart.not_ranked");
    }
    return bar;
}

std::string title_of(const std::vector<MeasuredSeries>& series, const std::string& variant,
                     const MeasureContext& in) {
    for (const MeasuredSeries& measured_series : series)
        if (measured_series.variant == variant)
            return in.tr.get("variant." + variant + ".title",
                             measured_series.rows.front().row->title);
    return variant;
}

}  // namespace

Scene speedup_chart(const MeasureContext& in) {
    const auto all = series_of(in.sources, GroupSizes::apart, in.tr);
    std::vector<MeasuredSeries> shown = all;
    std::erase_if(shown, [&](const MeasuredSeries& series) {
        const auto& only = in.options.variants;
        return !only.empty() && std::find(only.begin(), only.end(), series.variant) == only.end();
    });
    const std::uint64_t n =
        chosen_n(in, shown, [](const MeasuredSeries& measured_series, std::uint64_t size) {
            return row_at(measured_series, size) != nullptr;
        });
    const Baseline baseline = baseline_of(in, in.options.baseline.empty() ? shown : all, n);
    BarChart chart;
    chart.title = in.tr("chart.speedup", fmt::arg("baseline", title_of(all, baseline.variant, in)),
                        fmt::arg("n", catalogue::size_text(n)));
    chart.subtitle = work_text(in.sources, in.tr);
    chart.label = in.tr("chart.axis_speedup");
    chart.reference = 1;
    LegendFlags legend;
    legend.bars = true;
    std::set<std::size_t> left_out;
    std::size_t untimed = 0;
    chart.description = chart.subtitle + ". ";
    for (const MeasuredSeries& of : shown) {
        const MeasuredRow* row = row_at(of, n);
        if (row == nullptr) continue;
        if (!(row->ms.median > 0)) {
            ++untimed;
            continue;
        }
        if (baseline.rows[of.source] == nullptr) {
            left_out.insert(of.source);
            continue;
        }
        Bar bar = bar_of(of, *row, *baseline.rows[of.source], in);
        legend.bands |= bar.high > bar.low;
        legend.wrong |= bar.standing == BarStanding::none;
        legend.muted |= bar.standing == BarStanding::muted;
        chart.description += bar.name + ": " + bar.figure + ". ";
        chart.bars.push_back(std::move(bar));
    }
    chart.notes = notes_of(legend, in.sources, shown, in.tr);
    if (untimed > 0) chart.notes.push_back(in.tr("chart.note_untimed", fmt::arg("count", untimed)));
    if (in.sources.size() > 1) chart.notes.push_back(in.tr("chart.note_own_baseline"));
    for (std::size_t source = 0; source < in.sources.size(); ++source)
        if (std::none_of(shown.begin(), shown.end(), [&](const MeasuredSeries& each) {
                return each.source == source && row_at(each, n) != nullptr;
            }))
            chart.notes.push_back(in.tr("chart.note_no_rows",
                                        fmt::arg("device", in.sources[source].label),
                                        fmt::arg("n", catalogue::size_text(n))));
    for (const std::size_t source : left_out)
        chart.notes.push_back(
            in.tr("chart.note_no_baseline", fmt::arg("device", in.sources[source].label)));
    if (!in.options.size.heading)
        chart.notes.insert(chart.notes.begin(),
                           chart.title + " · " + chart.subtitle + in.tr("figure.stop"));
    return bar_scene(chart, in.options.size, in.fonts);
}

}  // namespace lab::figures
