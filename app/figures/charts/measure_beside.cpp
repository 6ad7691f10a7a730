#include "figures/charts/measure_beside.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalogue/number.h"
#include "results/device_team.h"

namespace lab::figures {
namespace {

constexpr double kFar = 16;  // times the largest size, or as small a part of the smallest

std::string with_device(const std::string& words, const Source& source, const MeasureContext& in) {
    return in.sources.size() > 1 ? words + " · " + source.label : words;
}

}  // namespace

void add_ceilings(ChartBuilder& to, PointOf point_of) {
    for (const Source& source : to.in.sources) {
        std::vector<MeasuredRow> rows;
        for (const results::Row* row : source.rows)
            if (row->kind == "ceiling" && row->right) rows.push_back({row, row->summary()});
        std::erase_if(rows, [](const MeasuredRow& row) { return !(row.ms.median > 0); });
        if (rows.empty()) continue;
        std::stable_sort(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.row->n < b.row->n; });
        ChartSeries series;
        series.look = {Role::text, Marker::none};
        series.dash = Dash::dashed;
        series.name = with_device(
            to.in.tr("chart.ceiling",
                     fmt::arg("rate", catalogue::figure_text(rows.back().gigabytes_per_second()))),
            source, to.in);
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

void add_datasheets(ChartBuilder& to) {
    Range sizes = range_of(Scale::log2, to.chart.x.values);
    if (to.chart.x.values.size() == 1) sizes = {sizes.high, sizes.high};
    for (const Source& source : to.in.sources) {
        const results::Datasheet* sheet = datasheet_of(source.device, to.in.options.datasheets);
        // For one device; what several have together no datasheet says.
        if (sheet == nullptr || results::names_several(source.files.front()->device.id)) continue;
        ChartSeries series;
        series.look = {Role::text, Marker::none};
        series.dash = Dash::dotted;
        series.name = with_device(
            to.in.tr("chart.datasheet",
                     fmt::arg("rate", fmt::format("{:.4g}", sheet->gigabytes_per_second))),
            source, to.in);
        const std::string tip = series.name + "\n" + sheet->source;
        for (const double n : {sizes.low, sizes.high})
            series.points.push_back({n, sheet->gigabytes_per_second, 0, 0, Standing::usual, tip});
        if (sizes.low == sizes.high) series.points.pop_back();
        to.legend.datasheet = true;
        to.chart.series.push_back(std::move(series));
    }
}

void add_figures(ChartBuilder& to, const std::vector<MeasuredSeries>& shown, const PlaceOf& place) {
    std::vector<std::pair<std::string, ChartSeries>> by_hardware;
    const bool same_work = comparable_with_documents(*to.in.sources.front().files.front());
    std::size_t far = 0, other = 0;
    for (const results::DocumentFigure& figure : to.in.options.figures) {
        const auto of = std::find_if(shown.begin(), shown.end(), [&](const MeasuredSeries& series) {
            return series.variant == figure.variant && series.set == figure.set;
        });
        if (of == shown.end() || !(figure.ms > 0)) continue;
        ChartPoint point;
        if (!place(figure, point)) continue;
        if (!same_work) {
            ++other;
            continue;
        }
        if (const auto& x = to.chart.x.values;
            x.empty() || point.x < x.front() / kFar || point.x > x.back() * kFar) {
            ++far;
            continue;
        }
        const std::string name = document_text(figure, to.in.tr);
        const results::Row& row = *of->rows.front().row;
        point.standing = Standing::elsewhere;
        point.look = of->look;
        point.tip = figure_tip(
            figure, to.in.tr.get("variant." + figure.variant + ".title", row.title), to.in.tr);
        auto found = std::find_if(by_hardware.begin(), by_hardware.end(),
                                  [&](const auto& entry) { return entry.first == name; });
        if (found == by_hardware.end()) {
            ChartSeries series;
            series.name = name;
            series.look = {Role::muted, Marker::none};
            series.joined = false;
            series.label = Role::muted;
            series.swatch = Standing::elsewhere;
            found = by_hardware.insert(by_hardware.end(), {name, std::move(series)});
        }
        found->second.points.push_back(std::move(point));
    }
    for (auto& [name, series] : by_hardware) {
        std::stable_sort(series.points.begin(), series.points.end(),
                         [](const auto& a, const auto& b) { return a.x < b.x; });
        to.legend.elsewhere = true;
        to.chart.series.push_back(std::move(series));
    }
    if (other > 0)
        to.chart.notes.push_back(to.in.tr("chart.note_other_work", fmt::arg("count", other)));
    if (far > 0) to.chart.notes.push_back(to.in.tr("chart.note_far", fmt::arg("count", far)));
}

}  // namespace lab::figures
