// The charts of measurements that are lines: time, bandwidth, error, and time by group size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "catalogue/number.h"
#include "figures/charts/measure_beside.h"

namespace lab::figures {
namespace {

constexpr std::size_t kMostBoundMarks = 6;  // series whose bounds are marked one by one

Axis size_axis(const MeasureContext& in, const std::vector<MeasuredSeries>& series) {
    Axis axis{in.tr("chart.axis_n"), Scale::log2, Unit::elements};
    std::set<double> sizes;
    for (const MeasuredSeries& measured_series : series)
        for (const MeasuredRow& row : measured_series.rows)
            sizes.insert(static_cast<double>(row.row->n));
    axis.values = {sizes.begin(), sizes.end()};
    return axis;
}

ChartPoint time_point(const MeasuredRow& row) {
    ChartPoint point{static_cast<double>(row.row->n), row.ms.median * 1e-3};
    point.low = row.ms.q1 * 1e-3;
    point.high = row.ms.q3 * 1e-3;
    return point;
}

// The faster quarter is the upper one.
ChartPoint bandwidth_point(const MeasuredRow& row) {
    const double bytes = static_cast<double>(row.row->bytes) * 1e-6;
    ChartPoint point{static_cast<double>(row.row->n), row.gigabytes_per_second()};
    if (row.ms.q1 > 0 && row.ms.q3 > row.ms.q1) {
        point.low = bytes / row.ms.q3;
        point.high = bytes / row.ms.q1;
    }
    return point;
}

ChartPoint error_point(const MeasuredRow& row) {
    return {static_cast<double>(row.row->n), row.row->error, 0, 0};
}

ChartSeries line_of(const MeasuredSeries& measured_series, ChartBuilder& to, PointOf point_of,
                    double least) {
    ChartSeries series;
    series.name = measured_series.name;
    series.look = measured_series.look;
    if (measured_series.look.role == Role::muted) {
        series.label = Role::muted;
        to.legend.muted = true;
    }
    if (measured_series.all(RowStanding::wrong)) series.swatch = Standing::wrong;
    for (const MeasuredRow& row : measured_series.rows) {
        ChartPoint point = point_of(row);
        if ((!(point.y > least) && std::isfinite(point.y)) || !(point.x > 0)) {
            ++to.untimed;
            continue;
        }
        if (standing_of(*row.row) == RowStanding::wrong) {
            point.standing = Standing::wrong;
            to.legend.wrong = true;
        }
        to.legend.bands |= point.high > point.low;
        to.legend.single &= measured_series.rows.size() == 1;
        point.tip =
            row_tip(row, measured_series.name, to.in.sources[measured_series.source], to.in.tr);
        series.points.push_back(std::move(point));
    }
    return series;
}

// References have no device clock.
std::string time_label(const MeasureContext& in, const std::vector<MeasuredSeries>& series) {
    const bool wall =
        std::any_of(series.begin(), series.end(), [](const MeasuredSeries& measured_series) {
            return !measured_series.rows.empty() &&
                   measured_series.rows.front().row->device_ms.empty();
        });
    return in.tr(wall ? "chart.axis_time_wall" : "chart.axis_time");
}

// "26 series, n from 1 Ki to 64 Mi" and where each ends, for those who cannot see it.
std::string description_of(const Chart& chart, const MeasureContext& in) {
    std::string text;
    for (const ChartSeries& series : chart.series) {
        if (series.points.empty()) continue;
        const ChartPoint& last = series.points.back();
        text += in.tr("chart.described", fmt::arg("name", series.name),
                      fmt::arg("x", tick_text(chart.x.unit, last.x)),
                      fmt::arg("y", chart.y.unit == Unit::plain
                                        ? catalogue::figure_text(last.y)
                                        : tick_text(chart.y.unit, last.y, chart.y.signs)));
        text += " ";
    }
    return text;
}

Scene finish(ChartBuilder& to, const std::vector<MeasuredSeries>& series) {
    Chart& chart = to.chart;
    // What is only beside measurements is no chart of them.
    const bool any = std::any_of(chart.series.begin(), chart.series.end(), [](const auto& of) {
        return !of.points.empty() && of.look.marker != Marker::none;
    });
    if (!any)
        throw Problem("There is nothing to draw", "No row of the results has a figure to show here",
                      "Choose another chart, or measure with larger --sizes", "--chart");
    chart.subtitle = work_text(to.in.sources, to.in.tr);
    std::vector<std::string> notes = notes_of(to.legend, to.in.sources, series, to.in.tr);
    if (to.untimed > 0)
        notes.push_back(to.in.tr("chart.note_untimed", fmt::arg("count", to.untimed)));
    notes.insert(notes.end(), chart.notes.begin(), chart.notes.end());
    chart.notes = std::move(notes);
    if (!to.in.options.size.heading)
        chart.notes.insert(chart.notes.begin(), chart.subtitle + to.in.tr("figure.stop"));
    chart.description = chart.subtitle + ". " + description_of(chart, to.in);
    return chart_scene(chart, to.in.options.size, to.in.fonts);
}

// The least and the greatest of the series' bounds at each size, as dashed lines. A part of the
// work needs to keep no more than its part of the bound, so it is no measure for the others.
void add_bound_lines(ChartBuilder& to, const std::vector<MeasuredSeries>& series) {
    std::map<std::uint64_t, Range> bounds;
    for (const MeasuredSeries& measured_series : series)
        for (const MeasuredRow& row : measured_series.rows) {
            if (!(row.row->bound > 0) || !std::isfinite(row.row->bound)) continue;
            if (row.row->expect == "partial") continue;
            const auto [found, added] =
                bounds.try_emplace(row.row->n, Range{row.row->bound, row.row->bound});
            found->second.low = std::min(found->second.low, row.row->bound);
            found->second.high = std::max(found->second.high, row.row->bound);
        }
    if (bounds.empty()) return;
    const bool one = std::all_of(bounds.begin(), bounds.end(),
                                 [](const auto& of) { return of.second.low == of.second.high; });
    (one ? to.legend.bound_line : to.legend.bound_lines) = true;
    for (const bool high : {false, true}) {
        if (one && high) continue;
        ChartSeries line;
        line.name = to.in.tr(one ? "chart.bound" : high ? "chart.bound_high" : "chart.bound_low");
        line.look = {Role::text, Marker::none};
        line.dash = Dash::dashed;
        for (const auto& [n, bound] : bounds) {
            const double y = high ? bound.high : bound.low;
            line.points.push_back({static_cast<double>(n), y, 0, 0, Standing::usual,
                                   line.name + "\n" + tick_text(Unit::powers, y)});
        }
        to.chart.series.push_back(std::move(line));
    }
}

}  // namespace

Scene time_chart(const MeasureContext& in) {
    const auto series = series_of(in.sources, GroupSizes::apart, in.tr);
    Chart chart;
    chart.title = in.tr("chart.time");
    chart.x = size_axis(in, series);
    chart.y = {time_label(in, series), Scale::log10, Unit::seconds};
    chart.y.signs = time_signs(in.tr);
    ChartBuilder to{in, chart};
    for (const MeasuredSeries& measured_series : series)
        chart.series.push_back(line_of(measured_series, to, time_point, 0));
    add_ceilings(to, time_point);
    add_figures(to, series, [](const results::DocumentFigure& figure, ChartPoint& point) {
        point.x = static_cast<double>(figure.n);
        point.y = figure.ms * 1e-3;
        return true;
    });
    return finish(to, series);
}

Scene bandwidth_chart(const MeasureContext& in) {
    const auto series = series_of(in.sources, GroupSizes::apart, in.tr);
    Chart chart;
    chart.title = in.tr("chart.bandwidth");
    chart.x = size_axis(in, series);
    chart.y = {in.tr("chart.axis_bandwidth"), Scale::log10, Unit::plain};
    ChartBuilder to{in, chart};
    for (const MeasuredSeries& measured_series : series)
        chart.series.push_back(line_of(measured_series, to, bandwidth_point, 0));
    add_ceilings(to, bandwidth_point);
    add_datasheets(to);
    add_figures(to, series, [](const results::DocumentFigure& figure, ChartPoint& point) {
        point.x = static_cast<double>(figure.n);
        point.y = 4 * static_cast<double>(figure.n) / figure.ms * 1e-6;
        return true;
    });
    return finish(to, series);
}

Scene error_chart(const MeasureContext& in) {
    const auto series = series_of(in.sources, GroupSizes::apart, in.tr);
    Chart chart;
    chart.title = in.tr("chart.error");
    chart.x = size_axis(in, series);
    chart.y = {in.tr("chart.axis_error"), Scale::log10, Unit::powers};
    chart.y.zero = in.tr("chart.exact");
    chart.y.no_number = in.tr("chart.no_number");
    ChartBuilder to{in, chart};
    to.legend.medians = false;
    const bool marks = series.size() <= kMostBoundMarks;
    for (const MeasuredSeries& measured_series : series) {
        if (measured_series.all(RowStanding::unknown)) continue;  // so is its error
        ChartSeries line =
            line_of(measured_series, to, error_point, -std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; marks && i < line.points.size(); ++i) {
            const double bound = measured_series.rows[i].row->bound;
            if (!(bound > 0) || !std::isfinite(bound)) continue;
            line.points[i].bound = bound;
            to.legend.bound_marks = true;
        }
        chart.series.push_back(std::move(line));
    }
    if (!marks) add_bound_lines(to, series);
    return finish(to, series);
}

namespace {

std::set<std::uint64_t> groups_at(const MeasuredSeries& series, std::uint64_t n) {
    std::set<std::uint64_t> groups;
    for (const MeasuredRow& row : series.rows)
        if (row.row->n == n && row.row->group > 0) groups.insert(row.row->group);
    return groups;
}

void check_several_groups(const std::vector<MeasuredSeries>& series, std::uint64_t n) {
    if (std::any_of(series.begin(), series.end(), [&](const MeasuredSeries& measured_series) {
            return groups_at(measured_series, n).size() > 1;
        }))
        return;
    throw Problem("There is nothing to draw by group size",
                  n == 0 ? "No variant has rows of several group sizes at one n"
                         : fmt::format("No variant has rows of several group sizes at n = {}",
                                       catalogue::size_text(n)),
                  "Measure with --group 32,64,128,256,512,1024, or choose another chart",
                  "--chart");
}

}  // namespace

Scene groups_chart(const MeasureContext& in) {
    auto series = series_of(in.sources, GroupSizes::together, in.tr);
    const std::uint64_t n =
        chosen_n(in, series, [](const MeasuredSeries& measured_series, std::uint64_t size) {
            return groups_at(measured_series, size).size() > 1;
        });
    check_several_groups(series, n);
    Chart chart;
    chart.title = in.tr("chart.groups", fmt::arg("n", catalogue::size_text(n)));
    chart.x = {in.tr("chart.axis_group"), Scale::log2, Unit::plain};
    ChartBuilder to{in, chart};
    std::set<double> sizes;
    for (MeasuredSeries& of : series) {
        std::erase_if(of.rows, [&](const MeasuredRow& row) {
            return row.row->n != n || row.row->group == 0;
        });
        if (of.rows.empty()) continue;
        for (const MeasuredRow& row : of.rows)
            sizes.insert(static_cast<double>(row.row->group));
        chart.series.push_back(line_of(
            of, to,
            [](const MeasuredRow& row) {
                ChartPoint point = time_point(row);
                point.x = static_cast<double>(row.row->group);
                return point;
            },
            0));
    }
    chart.x.values = {sizes.begin(), sizes.end()};
    std::erase_if(series, [](const MeasuredSeries& of) { return of.rows.empty(); });
    chart.y = {time_label(in, series), Scale::log10, Unit::seconds};
    chart.y.signs = time_signs(in.tr);
    add_figures(to, series, [&](const results::DocumentFigure& figure, ChartPoint& point) {
        point.x = static_cast<double>(figure.group);
        point.y = figure.ms * 1e-3;
        return figure.n == n && figure.group > 0;
    });
    return finish(to, series);
}

}  // namespace lab::figures
