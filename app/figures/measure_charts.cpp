#include "figures/measure_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ranges.h"
#include "catalogue/number.h"
#include "catalogue/shape.h"
#include "figures/bars.h"
#include "results/gains.h"
#include "results/request.h"

namespace lab::figures {

using fmt::arg;
struct MeasureContext {
    const std::vector<Source>& sources;
    const MeasureChartOptions& options;
    const Fonts& fonts;
    const Translations& tr;
};

namespace {

// A chart under construction, and what of it needs an explanation.
struct ChartBuilder {
    const MeasureContext& in;
    Chart chart = {};
    LegendFlags legend = {};
    std::size_t untimed = 0;  // rows without a time
    std::size_t unnamed = 0;  // lines
};

using PointOf = ChartPoint (*)(const MeasuredRow&);

// The requested size, else the largest one with more than half as many series as the best size has:
// of those that all devices have, or else the first. Throws Problem with the available sizes.
std::uint64_t chosen_n(const MeasureContext& in, const std::vector<MeasuredSeries>& series,
                       const std::function<bool(const MeasuredSeries&, std::uint64_t)>& counts) {
    std::map<std::uint64_t, std::size_t> sizes;
    for (const MeasuredSeries& each : series)
        for (const MeasuredRow& row : each.rows)
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
        return any_of(series,
                      [&](const auto& each) { return each.source == source && counts(each, n); });
    };
    const auto all_have = [&](std::uint64_t n) {
        for (std::size_t source = 0; source < in.sources.size(); ++source)
            if (!has(source, n)) return false;
        return true;
    };
    const auto keep = [&sizes](const auto& wanted) {
        const bool any = any_of(sizes, [&](const auto& size) { return wanted(size.first); });
        if (any) std::erase_if(sizes, [&](const auto& size) { return !wanted(size.first); });
        return any;
    };
    if (!keep(all_have)) keep([&](std::uint64_t n) { return has(0, n); });
    return results::common_size(sizes);
}

constexpr double kFar = 16;  // times the largest size, or as small a part of the smallest

// A line beside the measurements, which has no marks.
ChartSeries reference_line(std::string name, Dash dash) {
    ChartSeries series{std::move(name), {Role::text, Marker::none}};
    series.dash = dash;
    return series;
}

std::string with_device(const std::string& words, const Source& source, const MeasureContext& in) {
    return in.sources.size() > 1 ? words + " · " + source.label : words;
}

// The bandwidth of a kernel that only reads, as a dashed line per device.
void add_ceilings(ChartBuilder& to, PointOf point_of) {
    for (const Source& source : to.in.sources) {
        std::vector<MeasuredRow> rows;
        for (const results::Row* row : source.rows)
            if (row->kind == "ceiling" && row->right) rows.push_back({row, row->summary()});
        std::erase_if(rows, [](const MeasuredRow& row) { return !(row.ms.median > 0); });
        if (rows.empty()) continue;
        stable_sort(rows, [](const auto& a, const auto& b) { return a.row->n < b.row->n; });
        const std::string rate = catalogue::figure_text(rows.back().gigabytes_per_second());
        ChartSeries series = reference_line(
            with_device(to.in.tr("chart.ceiling", arg("rate", rate)), source, to.in), Dash::dashed);
        for (const MeasuredRow& row : rows) {
            ChartPoint point = point_of(row);
            point.low = point.high = 0;
            point.tip = row_tip(row, series.name, source, to.in.tr);
            series.points.push_back(std::move(point));
        }
        to.legend.ceiling = true;
        to.chart.series.push_back(std::move(series));
    }
}

// The bandwidth from the datasheet, in GB/s, as a dotted line per known device.
void add_datasheets(ChartBuilder& to) {
    Range sizes = range_of(Scale::log2, to.chart.x.values);
    if (to.chart.x.values.size() == 1) sizes = {sizes.high, sizes.high};
    for (const Source& source : to.in.sources) {
        const results::Datasheet* sheet = datasheet_of(source.device, to.in.options.datasheets);
        // For one device; what several have together no datasheet says.
        if (sheet == nullptr || results::names_several(source.files.front()->device.id)) continue;
        const std::string rate = fmt::format("{:.4g}", sheet->gigabytes_per_second);
        ChartSeries series = reference_line(
            with_device(to.in.tr("chart.datasheet", arg("rate", rate)), source, to.in),
            Dash::dotted);
        const std::string tip = series.name + "\n" + sheet->source;
        for (const double n : {sizes.low, sizes.high})
            series.points.push_back({n, sheet->gigabytes_per_second, 0, 0, PointStyle::usual, tip});
        if (sizes.low == sizes.high) series.points.pop_back();
        to.legend.datasheet = true;
        to.chart.series.push_back(std::move(series));
    }
}

// Returns the point of a document's figure, or that it has no place in the chart.
using PlaceOf = std::function<std::optional<ChartPoint>(const results::DocumentFigure&)>;
// For the documents, what is of variants and settings that are in the chart; a series each
// hardware. What lies too far from what was measured would leave no room for it, and is counted
// instead.
void add_figures(ChartBuilder& to, const std::vector<MeasuredSeries>& shown, const PlaceOf& place) {
    std::vector<ChartSeries> by_hardware;
    const bool same_work = comparable_with_documents(*to.in.sources.front().files.front());
    std::size_t far = 0, other = 0;
    for (const results::DocumentFigure& figure : to.in.options.figures) {
        const MeasuredSeries* of = find_if(shown, [&](const MeasuredSeries& series) {
            return series.variant == figure.variant && series.set == figure.set;
        });
        if (of == nullptr || !(figure.ms > 0)) continue;
        std::optional<ChartPoint> point = place(figure);
        if (!point) continue;
        if (!same_work) {
            ++other;
            continue;
        }
        if (const auto& x = to.chart.x.values;
            x.empty() || point->x < x.front() / kFar || point->x > x.back() * kFar) {
            ++far;
            continue;
        }
        const std::string name = document_text(figure, to.in.tr);
        const results::Row& row = *of->rows.front().row;
        point->standing = PointStyle::elsewhere;
        point->look = of->look;
        point->tip = figure_tip(
            figure, to.in.tr.get("variant." + figure.variant + ".title", row.title), to.in.tr);
        ChartSeries* found =
            find_if(by_hardware, [&](const ChartSeries& series) { return series.name == name; });
        if (found == nullptr) {
            found = &by_hardware.emplace_back(ChartSeries{name, {Role::muted, Marker::none}});
            found->joined = false;
            found->label = Role::muted;
            found->swatch = PointStyle::elsewhere;
        }
        found->points.push_back(std::move(*point));
    }
    for (ChartSeries& series : by_hardware) {
        stable_sort(series.points, [](const auto& a, const auto& b) { return a.x < b.x; });
        to.legend.elsewhere = true;
        to.chart.series.push_back(std::move(series));
    }
    if (other > 0) to.chart.notes.push_back(to.in.tr("chart.note_other_work", arg("count", other)));
    if (far > 0) to.chart.notes.push_back(to.in.tr("chart.note_far", arg("count", far)));
}

std::string measured_title(const std::vector<MeasuredSeries>& series, const std::string& variant,
                           const MeasureContext& in) {
    const auto* found = find_if(series, [&](const auto& each) { return each.variant == variant; });
    return in.tr.get("variant." + variant + ".title",
                     found == nullptr ? variant : found->rows.front().row->title);
}

// Draws the bars; without a heading, what it says is in a note.
Scene finish(BarChart& chart, const MeasureContext& in) {
    if (!in.options.size.heading)
        chart.notes.insert(chart.notes.begin(),
                           chart.title + " · " + chart.subtitle + in.tr("figure.stop"));
    return bar_scene(chart, in.options.size, in.fonts);
}

// The ladder: how many times as fast each step is as the one before it, and as was predicted.
// A device that has steps to show, at the size that suits it.
struct Shown {
    std::size_t source = 0;
    std::uint64_t n = 0;
    std::string kind;  // as headers name it
    std::string name;
};

[[noreturn]] void throw_no_gains(const MeasureContext& in) {
    std::vector<std::string> pair{"ladder-1-modulo", "ladder-2-strided"};
    if (!in.options.steps.empty())
        pair = {in.options.steps.front().gain.after, in.options.steps.front().id};
    throw Problem("There is no step of the ladder to draw",
                  in.options.n
                      ? fmt::format("At n = {}, no step is there together with the one before it",
                                    catalogue::size_text(*in.options.n))
                      : "No step was measured together with the one before it at the same n",
                  fmt::format("Measure {} at the same --sizes, or choose another chart",
                              fmt::join(pair, ",")),
                  "--chart");
}

std::vector<Shown> devices_of(const MeasureContext& in) {
    std::vector<Shown> showns;
    for (std::size_t i = 0; i < in.sources.size(); ++i) {
        const Source& source = in.sources[i];
        const auto sizes = gains_by_size(source.rows, in.options.steps);
        const std::uint64_t n = in.options.n.value_or(results::common_size(sizes));
        if (!sizes.contains(n)) continue;
        showns.push_back({i, n, gain_kind(source.files.front()->device), source.label});
    }
    if (showns.empty()) throw_no_gains(in);
    if (any_of(showns, [&](const Shown& shown) { return shown.n != showns.front().n; }))
        for (Shown& of : showns)
            of.name += " · n = " + catalogue::size_text(of.n);
    return showns;
}

class LadderChart {
  public:
    explicit LadderChart(const MeasureContext& in) : in_(in) {}

    Scene make() {
        chart_.sentence = largest_step();
        chart_.title = in_.tr("chart.ladder", arg("n", sizes()));
        chart_.subtitle = work_text(in_.sources, in_.tr);
        chart_.label = in_.tr("chart.axis_ladder");
        chart_.scale = Scale::log2;
        chart_.reference = 1;
        chart_.description = chart_.subtitle + ". ";
        explained_.bars = true;
        std::string above;  // the step that the reader has just seen
        for (const std::string& id : in_order(steps_))
            if (is_asked(id) && add_step(id, above)) above = id;
        add_notes();
        return finish(chart_, in_);
    }

  private:
    std::string sizes() const {
        std::set<std::uint64_t> all;
        for (const Shown& shown : devices_)
            all.insert(shown.n);
        auto texts =
            mapped<std::string>(all, [](const std::uint64_t n) { return catalogue::size_text(n); });
        return fmt::format("{}", fmt::join(texts, ", "));
    }

    // What steps come after is shown, too, though it was not asked for.
    bool is_asked(const std::string& id) const {
        const auto& only = in_.options.variants;
        const auto asked = [&](const std::string& text) {
            return only.empty() || contains(only, text);
        };
        return asked(id) || any_of(steps_, [&](const catalogue::GainStep& step) {
                   return step.gain.after == id && asked(step.id);
               });
    }

    // Returns the sentence of the step that gains most on the first device.
    std::string largest_step() const {
        const Shown& on = devices_.front();
        const auto& rows = in_.sources[on.source].rows;
        const catalogue::GainStep* best = nullptr;
        double factor = 0;
        for (const catalogue::GainStep& step : steps_) {
            const double gain = measured_gain(rows, steps_, step, on.n).factor;
            if (!is_asked(step.id) || gain <= factor) continue;
            best = &step;
            factor = gain;
        }
        if (best == nullptr) return {};
        return in_.tr("chart.sentence_ladder", arg("device", in_.sources[on.source].label),
                      arg("n", catalogue::size_text(on.n)),
                      arg("title", measured_title(series_, best->id, in_)),
                      arg("factor", factor_text(factor)),
                      arg("before", measured_title(series_, best->gain.after, in_)));
    }

    std::string title_of(const results::Row& row) const {
        return measured_title(series_, row.variant, in_) +
               (row.set.empty() ? "" : " " + catalogue::settings_text(row.set));
    }

    // Whether any device has a bar, or a word, of it.
    bool add_step(const std::string& id, const std::string& above) {
        std::string heading;
        for (const Shown& device : devices_) {
            const auto& rows = in_.sources[device.source].rows;
            const results::Row* row = row_of_step(rows, steps_, id, device.n);
            if (row == nullptr || !(row->summary().median > 0)) continue;
            Bar bar = bar_of(id, *row, device, above);
            bar.name = title_of(*row);
            chart_.description += bar.name;
            if (devices_.size() > 1) {
                if (heading.empty()) bar.heading = heading = bar.name;
                bar.name = device.name;
                if (title_of(*row) != heading)
                    bar.name += " · " + catalogue::settings_text(row->set);
                chart_.description += ", " + bar.name;
            }
            chart_.description += ": " + bar.figure + ". ";
            chart_.bars.push_back(std::move(bar));
            heading = heading.empty() ? title_of(*row) : heading;
        }
        return !heading.empty();
    }

    Bar bar_of(const std::string& id, const results::Row& row, const Shown& device,
               const std::string& above) {
        Bar bar;
        const MeasuredSeries* series = find_if(series_, [&](const MeasuredSeries& each) {
            return any_of(each.rows, [&](const auto& measured) { return measured.row == &row; });
        });
        if (series != nullptr) {
            bar.look = series->look;
            drawn_.push_back(*series);
        }
        const std::string name = series != nullptr ? series->name : id;
        bar.tip = row_tip({&row, row.summary()}, name, in_.sources[device.source], in_.tr);
        const catalogue::GainStep* step = find_step(steps_, id);
        const RowStatus standing = standing_of(row);
        if (standing == RowStatus::wrong) {
            bar.standing = BarStanding::none;
            bar.figure = in_.tr("chart.wrong_not_ranked");
            explained_.wrong = true;
        } else if (standing != RowStatus::ranked) {
            bar.standing = BarStanding::empty;
            bar.figure = in_.tr(standing == RowStatus::races ? "chart.races" : "chart.partial") +
                         ": " + in_.tr("chart.not_ranked");
        } else if (step == nullptr) {
            bar.value = 1;
            bar.figure = in_.tr("chart.ladder_first",
                                arg("rate", catalogue::figure_text(row.gigabytes_per_second())));
        } else {
            add_gain(bar, *step, device);
        }
        // Of another form nothing is predicted.
        if (step != nullptr && row.set == step->gain.set) add_words(bar, *step, device, above);
        return bar;
    }

    void add_gain(Bar& bar, const catalogue::GainStep& step, const Shown& device) {
        const results::MeasuredGain gain =
            measured_gain(in_.sources[device.source].rows, steps_, step, device.n);
        if (gain.factor > 0) {
            bar.value = gain.factor;
            bar.low = gain.low;
            bar.high = gain.high;
            bar.figure = factor_text(gain.factor);
            explained_.bands |= bar.high > bar.low;
            return;
        }
        bar.standing = BarStanding::empty;
        bar.figure = in_.tr("chart.ladder_none",
                            arg("before", measured_title(series_, step.gain.after, in_)));
    }

    // What was predicted, why, and after which step, where that is not the one above.
    void add_words(Bar& bar, const catalogue::GainStep& step, const Shown& device,
                   const std::string& above) {
        const auto found = step.gain.predicted.find(device.kind);
        if (found != step.gain.predicted.end()) {
            bar.mark = found->second;
            explained_.predicted = true;
            bar.figure += "  " + in_.tr("chart.ladder_predicted",
                                        arg("factor", fmt::format("{:g}×", found->second)));
        }
        if (step.gain.after != above && bar.value > 0)
            bar.figure +=
                "  " + in_.tr("chart.ladder_after",
                              arg("before", measured_title(series_, step.gain.after, in_)));
        bar.tip += "\n" + in_.tr.get("variant." + step.id + ".why", step.gain.why);
    }

    void add_notes() {
        chart_.notes = notes_of(explained_, in_.sources, drawn_, in_.tr);
        for (std::size_t i = 0; i < in_.sources.size(); ++i)
            if (none_of(devices_, [&](const Shown& shown) { return shown.source == i; }))
                chart_.notes.push_back(
                    in_.tr("chart.note_no_step", arg("device", in_.sources[i].label)));
    }

    const MeasureContext& in_;
    std::span<const catalogue::GainStep> steps_ = in_.options.steps;
    std::vector<MeasuredSeries> series_ = bar_series_of(in_.sources, in_.tr), drawn_;
    std::vector<Shown> devices_ = devices_of(in_);
    BarChart chart_;
    LegendFlags explained_;
};

// The charts of measurements that are lines: time, bandwidth, error, and time by group size.
constexpr std::size_t kMostBoundMarks = 6;  // series whose bounds are marked one by one

Axis size_axis(const MeasureContext& in, const std::vector<MeasuredSeries>& series) {
    Axis axis{in.tr("chart.axis_n"), Scale::log2, Unit::elements};
    std::set<double> sizes;
    for (const MeasuredSeries& each : series)
        for (const MeasuredRow& row : each.rows)
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

ChartSeries line_of(const MeasuredSeries& each, ChartBuilder& to, PointOf point_of, double least) {
    ChartSeries series;
    if (each.named) series.name = each.name;
    to.unnamed += each.named ? 0U : 1U;
    series.look = each.look;
    if (each.look.role == Role::muted) {
        series.label = Role::muted;
        to.legend.muted = true;
    }
    if (each.all(RowStatus::wrong)) series.swatch = PointStyle::wrong;
    for (const MeasuredRow& row : each.rows) {
        ChartPoint point = point_of(row);
        if ((!(point.y > least) && std::isfinite(point.y)) || !(point.x > 0)) {
            ++to.untimed;
            continue;
        }
        const bool wrong = standing_of(*row.row) == RowStatus::wrong;
        if (!each.named) {  // a thin line and its tips: all that its many neighbours leave room for
            if (wrong) continue;
            point.low = point.high = 0;
        }
        if (wrong) {
            point.standing = PointStyle::wrong;
            to.legend.wrong = true;
        }
        to.legend.bands |= point.high > point.low;
        to.legend.single &= each.rows.size() == 1;
        point.tip = row_tip(row, each.name, to.in.sources[each.source], to.in.tr);
        series.points.push_back(std::move(point));
    }
    if (!each.named && series.points.size() > 1) series.look.marker = Marker::none;
    return series;
}

// As lines, those without a name below the others.
std::vector<MeasuredSeries> drawn_lines(const MeasureContext& in, GroupSizes groups) {
    std::vector<MeasuredSeries> series = series_of(in.sources, groups, in.tr);
    keep_colours(series, in.sources, in.options.coloured, in.options.most_coloured);
    std::stable_partition(series.begin(), series.end(),
                          [](const MeasuredSeries& each) { return !each.named; });
    return series;
}

// References have no device clock.
Axis time_axis(const MeasureContext& in, const std::vector<MeasuredSeries>& series) {
    const bool wall = any_of(series, [](const MeasuredSeries& each) {
        return !each.rows.empty() && each.rows.front().row->device_ms.empty();
    });
    Axis axis{in.tr(wall ? "chart.axis_time_wall" : "chart.axis_time"), Scale::log10,
              Unit::seconds};
    axis.signs = time_signs(in.tr);
    return axis;
}

// "26 series, n from 1 Ki to 64 Mi" and where each ends, for those who cannot see it.
std::string description_of(const Chart& chart, const MeasureContext& in) {
    std::string text;
    for (const ChartSeries& series : chart.series) {
        if (series.points.empty() || series.name.empty()) continue;
        const ChartPoint& last = series.points.back();
        text += in.tr(
            "chart.described", arg("name", series.name), arg("x", tick_text(chart.x.unit, last.x)),
            arg("y", chart.y.unit == Unit::plain ? catalogue::figure_text(last.y)
                                                 : tick_text(chart.y.unit, last.y, chart.y.signs)));
        text += " ";
    }
    return text;
}

Scene finish(ChartBuilder& to, const std::vector<MeasuredSeries>& series) {
    Chart& chart = to.chart;
    // What is only beside measurements is no chart of them.
    const bool any = any_of(chart.series, [](const auto& of) {
        return !of.points.empty() && of.look.marker != Marker::none;
    });
    if (!any)
        throw Problem("There is nothing to draw", "No row of the results has a figure to show here",
                      "Choose another chart, or measure with larger --sizes", "--chart");
    chart.subtitle = work_text(to.in.sources, to.in.tr);
    std::vector<std::string> notes = notes_of(to.legend, to.in.sources, series, to.in.tr);
    if (to.untimed > 0) notes.push_back(to.in.tr("chart.note_untimed", arg("count", to.untimed)));
    if (to.unnamed > 0) notes.push_back(to.in.tr("chart.note_unnamed", arg("count", to.unnamed)));
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
    for (const MeasuredSeries& each : series)
        for (const MeasuredRow& row : each.rows) {
            if (!(row.row->bound > 0) || !std::isfinite(row.row->bound)) continue;
            if (row.row->expect == "partial") continue;
            const auto [found, added] =
                bounds.try_emplace(row.row->n, Range{row.row->bound, row.row->bound});
            found->second.low = std::min(found->second.low, row.row->bound);
            found->second.high = std::max(found->second.high, row.row->bound);
        }
    if (bounds.empty()) return;
    const bool one = all_of(bounds, [](const auto& of) { return of.second.low == of.second.high; });
    (one ? to.legend.bound_line : to.legend.bound_lines) = true;
    for (const bool high : {false, true}) {
        if (one && high) continue;
        ChartSeries line = reference_line(to.in.tr(one    ? "chart.bound"
                                                   : high ? "chart.bound_high"
                                                          : "chart.bound_low"),
                                          Dash::dashed);
        for (const auto& [n, bound] : bounds) {
            const double y = high ? bound.high : bound.low;
            line.points.push_back({static_cast<double>(n), y, 0, 0, PointStyle::usual,
                                   line.name + "\n" + tick_text(Unit::powers, y)});
        }
        to.chart.series.push_back(std::move(line));
    }
}

// Begins a chart against n.
ChartBuilder against_n(const MeasureContext& in, const std::vector<MeasuredSeries>& series,
                       const char* title, Axis y) {
    ChartBuilder to{in};
    to.chart.title = in.tr(title);
    to.chart.x = size_axis(in, series);
    to.chart.y = std::move(y);
    return to;
}

Scene time_chart(const MeasureContext& in) {
    const auto series = drawn_lines(in, GroupSizes::apart);
    ChartBuilder to = against_n(in, series, "chart.time", time_axis(in, series));
    for (const MeasuredSeries& each : series)
        to.chart.series.push_back(line_of(each, to, time_point, 0));
    add_ceilings(to, time_point);
    add_figures(to, series, [](const results::DocumentFigure& figure) {
        return ChartPoint{static_cast<double>(figure.n), figure.ms * 1e-3};
    });
    return finish(to, series);
}

Scene bandwidth_chart(const MeasureContext& in) {
    const auto series = drawn_lines(in, GroupSizes::apart);
    ChartBuilder to =
        against_n(in, series, "chart.bandwidth", {in.tr("chart.axis_bandwidth"), Scale::log10});
    for (const MeasuredSeries& each : series)
        to.chart.series.push_back(line_of(each, to, bandwidth_point, 0));
    add_ceilings(to, bandwidth_point);
    add_datasheets(to);
    add_figures(to, series, [](const results::DocumentFigure& figure) {
        const auto n = static_cast<double>(figure.n);
        return ChartPoint{n, 4 * n / figure.ms * 1e-6};
    });
    return finish(to, series);
}

Scene error_chart(const MeasureContext& in) {
    const auto series = drawn_lines(in, GroupSizes::apart);
    ChartBuilder to = against_n(in, series, "chart.error",
                                {in.tr("chart.axis_error"), Scale::log10, Unit::powers});
    to.chart.y.zero = in.tr("chart.exact");
    to.chart.y.no_number = in.tr("chart.no_number");
    to.legend.medians = false;
    const bool marks = series.size() <= kMostBoundMarks;
    for (const MeasuredSeries& each : series) {
        if (each.all(RowStatus::unknown)) continue;  // so is its error
        const auto point_of = [](const MeasuredRow& row) {
            return ChartPoint{static_cast<double>(row.row->n), row.row->error, 0, 0};
        };
        ChartSeries line = line_of(each, to, point_of, -std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; marks && i < line.points.size(); ++i) {
            const double bound = each.rows[i].row->bound;
            if (!(bound > 0) || !std::isfinite(bound)) continue;
            line.points[i].bound = bound;
            to.legend.bound_marks = true;
        }
        to.chart.series.push_back(std::move(line));
    }
    if (!marks) add_bound_lines(to, series);
    return finish(to, series);
}

std::set<std::uint64_t> groups_at(const MeasuredSeries& series, std::uint64_t n) {
    std::set<std::uint64_t> groups;
    for (const MeasuredRow& row : series.rows)
        if (row.row->n == n && row.row->group > 0) groups.insert(row.row->group);
    return groups;
}

void check_several_groups(const std::vector<MeasuredSeries>& series, std::uint64_t n) {
    if (any_of(series, [&](const auto& each) { return groups_at(each, n).size() > 1; })) return;
    throw Problem("There is nothing to draw by group size",
                  n == 0 ? "No variant has rows of several group sizes at one n"
                         : fmt::format("No variant has rows of several group sizes at n = {}",
                                       catalogue::size_text(n)),
                  "Measure with --group 32,64,128,256,512,1024, or choose another chart",
                  "--chart");
}

Scene groups_chart(const MeasureContext& in) {
    auto series = drawn_lines(in, GroupSizes::together);
    const std::uint64_t n =
        chosen_n(in, series, [](const MeasuredSeries& each, std::uint64_t size) {
            return groups_at(each, size).size() > 1;
        });
    check_several_groups(series, n);
    for (MeasuredSeries& each : series)
        std::erase_if(each.rows, [&](const MeasuredRow& row) {
            return row.row->n != n || row.row->group == 0;
        });
    std::erase_if(series, [](const MeasuredSeries& each) { return each.rows.empty(); });
    ChartBuilder to{in};
    to.chart.title = in.tr("chart.groups", arg("n", catalogue::size_text(n)));
    to.chart.x = {in.tr("chart.axis_group"), Scale::log2};
    to.chart.y = time_axis(in, series);
    std::set<double> sizes;
    for (const MeasuredSeries& each : series) {
        const auto point_of = [](const MeasuredRow& row) {
            ChartPoint point = time_point(row);
            point.x = static_cast<double>(row.row->group);
            return point;
        };
        to.chart.series.push_back(line_of(each, to, point_of, 0));
        for (const MeasuredRow& row : each.rows)
            sizes.insert(static_cast<double>(row.row->group));
    }
    to.chart.x.values = {sizes.begin(), sizes.end()};
    add_figures(to, series, [&](const results::DocumentFigure& figure) {
        return figure.n == n && figure.group > 0
                   ? std::optional(ChartPoint{static_cast<double>(figure.group), figure.ms * 1e-3})
                   : std::nullopt;
    });
    Scene scene = finish(to, series);
    const MeasuredSeries* fastest = nullptr;
    const MeasuredRow* best = nullptr;
    for (const MeasuredSeries& each : series)
        for (const MeasuredRow& row : each.rows)
            if (each.source == series.front().source && row.row->ranked() && row.ms.median > 0 &&
                (best == nullptr || row.ms.median < best->ms.median)) {
                fastest = &each;
                best = &row;
            }
    if (best != nullptr)
        scene.sentence =
            in.tr("chart.sentence_groups", arg("device", in.sources[fastest->source].label),
                  arg("n", catalogue::size_text(n)), arg("group", best->row->group),
                  arg("title", measured_title(series, fastest->variant, in)),
                  arg("time", seconds_text(best->ms.median * 1e-3, time_signs(in.tr))));
    return scene;
}

// How many times as fast each variant is as a baseline, at one size.
// The first step of the ladder, as lectures count: "what did each step gain?". Where it was not
// measured, the slowest variant that is right.
constexpr const char* kUsualBaseline = "ladder-1-modulo";

const MeasuredRow* row_at(const MeasuredSeries& series, std::uint64_t n) {
    return find_if(series.rows, [&](const MeasuredRow& row) { return row.row->n == n; });
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
        for (const MeasuredSeries& each : series) {
            if (each.kind != kind || !can_be_baseline(each, n)) continue;
            if (found == nullptr || row_at(each, n)->ms.median > row_at(*found, n)->ms.median)
                found = &each;
        }
        if (found != nullptr) return found;
    }
    return nullptr;
}

[[noreturn]] void throw_no_baseline(const std::string& asked,
                                    const std::vector<MeasuredSeries>& series, std::uint64_t n) {
    std::vector<std::string> known;
    for (const MeasuredSeries& each : series)
        if (can_be_baseline(each, n) && !contains(known, each.variant))
            known.push_back(each.variant);
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
        return any_of(series, [&](const MeasuredSeries& each) {
            return each.variant == id && can_be_baseline(each, n);
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
    const RowStatus standing = standing_of(*row.row);
    if (standing == RowStatus::wrong) {
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
    if (standing != RowStatus::ranked) {
        bar.standing = BarStanding::muted;
        bar.figure += "  " + in.tr("chart.not_ranked");
    }
    return bar;
}

Scene speedup_chart(const MeasureContext& in) {
    const auto all = bar_series_of(in.sources, in.tr);
    std::vector<MeasuredSeries> shown = all;
    std::erase_if(shown, [&](const MeasuredSeries& series) {
        const auto& only = in.options.variants;
        return !only.empty() && !contains(only, series.variant);
    });
    const std::uint64_t n = chosen_n(in, shown, [](const MeasuredSeries& each, std::uint64_t size) {
        return row_at(each, size) != nullptr;
    });
    const Baseline baseline = baseline_of(in, in.options.baseline.empty() ? shown : all, n);
    BarChart chart;
    const auto words = [&](const char* key) {
        return in.tr(key, arg("baseline", measured_title(all, baseline.variant, in)),
                     arg("n", catalogue::size_text(n)));
    };
    chart.title = words("chart.speedup");
    chart.subtitle = work_text(in.sources, in.tr);
    chart.label = words(in.sources.size() > 1 ? "chart.axis_speedup_each" : "chart.axis_speedup");
    chart.reference = 1;
    LegendFlags legend;
    legend.bars = true;
    std::set<std::size_t> left_out;
    std::size_t untimed = 0;
    double most = 0;  // of the first device's kernels
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
        if (of.source == shown.front().source && of.kind == "variant" && row->row->ranked() &&
            of.variant != baseline.variant && bar.value > most) {
            most = bar.value;
            chart.sentence =
                in.tr("chart.sentence_speedup", arg("device", in.sources[of.source].label),
                      arg("n", catalogue::size_text(n)),
                      arg("title", measured_title(all, of.variant, in)),
                      arg("factor", factor_text(bar.value)),
                      arg("baseline", measured_title(all, baseline.variant, in)));
        }
        chart.description += bar.name + ": " + bar.figure + ". ";
        chart.bars.push_back(std::move(bar));
    }
    chart.notes = notes_of(legend, in.sources, shown, in.tr);
    if (untimed > 0) chart.notes.push_back(in.tr("chart.note_untimed", arg("count", untimed)));
    if (in.sources.size() > 1) chart.notes.push_back(in.tr("chart.note_own_baseline"));
    for (std::size_t source = 0; source < in.sources.size(); ++source)
        if (none_of(shown, [&](const MeasuredSeries& each) {
                return each.source == source && row_at(each, n) != nullptr;
            }))
            chart.notes.push_back(in.tr("chart.note_no_rows",
                                        arg("device", in.sources[source].label),
                                        arg("n", catalogue::size_text(n))));
    for (const std::size_t source : left_out)
        chart.notes.push_back(
            in.tr("chart.note_no_baseline", arg("device", in.sources[source].label)));
    return finish(chart, in);
}

constexpr auto kCharts = std::to_array<MeasureChart>({
    {"time", "time against n", time_chart},
    {"bandwidth", "GB/s against n, with the read ceiling", bandwidth_chart},
    {"speedup", "at one n, against a baseline", speedup_chart, true},
    {"error", "relative error against n, with its bound", error_chart},
    {"groups", "time by group size, at one n", groups_chart, true},
    {"ladder", "each step against the one before it, as predicted and as measured",
     [](const MeasureContext& in) { return LadderChart(in).make(); }, true},
});

// What the chosen steps come after, as far as it was measured: their gain is against it.
void add_before(std::vector<std::string>& chosen, std::span<const catalogue::GainStep> steps,
                const std::vector<Source>& sources) {
    const std::size_t asked = chosen.size();
    for (std::size_t i = 0; i < asked; ++i) {
        const catalogue::GainStep* step = find_step(steps, chosen[i]);
        if (step == nullptr) continue;
        for (const Source& source : sources)
            if (any_of(source.rows,
                       [&](const results::Row* row) { return row->variant == step->gain.after; })) {
                chosen.push_back(step->gain.after);
                break;
            }
    }
}

}  // namespace

std::span<const MeasureChart> measure_charts() {
    return kCharts;
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

Scene measure_chart(std::span<const results::Measurements> files,
                    const MeasureChartOptions& options, const Fonts& fonts,
                    const Translations& tr) {
    const MeasureChart* found =
        find_if(kCharts, [&](const MeasureChart& chart) { return options.chart == chart.id; });
    if (found == nullptr) {
        auto ids = mapped<const char*>(measure_charts(), &MeasureChart::id);
        throw Problem(fmt::format("There is no chart '{}'", options.chart), "",
                      fmt::format("Choose one of: {}", fmt::join(ids, ", ")), "--chart");
    }
    std::vector<Source> sources = sources_of(files);
    std::vector<std::string> chosen = options.variants;
    // The baseline is needed even if it is not to be shown.
    if (!chosen.empty() && options.chart == "speedup" && !options.baseline.empty())
        chosen.push_back(options.baseline);
    if (!chosen.empty() && options.chart == "ladder") add_before(chosen, options.steps, sources);
    select(sources, chosen);
    return found->draw({sources, options, fonts, tr});
}

}  // namespace lab::figures
