#include "figures/charts/measure_text.h"
#include "catalogue/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "catalogue/number.h"
#include "figures/plot/ticks.h"
#include "results/device_team.h"

namespace lab::figures {
namespace {

constexpr std::size_t kMostSamples = 20;  // listed one by one

std::string milliseconds_text(double ms, const Translations& tr) {
    return seconds_text(ms * 1e-3, time_signs(tr));
}

std::string samples_text(const results::Row& row, const Translations& tr) {
    const std::vector<double>& samples = row.samples_ms();
    if (samples.empty()) return {};
    if (samples.size() <= kMostSamples) {
        std::string all;
        for (const double ms : samples)
            all += (all.empty() ? "" : ", ") + milliseconds_text(ms, tr);
        return tr("chart.tip_samples", fmt::arg("count", samples.size()), fmt::arg("list", all));
    }
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    return tr("chart.tip_range", fmt::arg("count", samples.size()),
              fmt::arg("low", milliseconds_text(*low, tr)),
              fmt::arg("high", milliseconds_text(*high, tr)));
}

std::string verdict_text(const results::Row& row, const Translations& tr) {
    if (!row.right)
        return tr("chart.tip_wrong", fmt::arg("got", row.result), fmt::arg("want", row.expected));
    if (row.kind == "ceiling") return {};
    const char* key = "chart.tip_right";
    if (row.expect == "unknown") key = "chart.tip_unknown";
    if (row.expect == "partial") key = "chart.tip_partial";
    if (row.expect == "races") key = "chart.tip_races";
    return tr(key);
}

std::string error_text(const results::Row& row, const Translations& tr) {
    if (row.kind == "ceiling" || row.expect == "unknown") return {};
    if (!row.exact.empty()) return tr("measure.wrapped", fmt::arg("exact", row.exact));
    if (row.error == 0) return tr("chart.tip_exact");
    const std::string error = std::isfinite(row.error) ? tick_text(Unit::powers, row.error) : "-";
    if (!(row.bound > 0)) return tr("chart.tip_error", fmt::arg("error", error));
    return tr("chart.tip_error_bound", fmt::arg("error", error),
              fmt::arg("bound", tick_text(Unit::powers, row.bound)));
}

// Why a series is not as the others, as a key; null: it is.
const char* amiss(const MeasuredSeries& series) {
    if (series.all(RowStanding::wrong)) return "chart.wrong";
    if (series.any(RowStanding::wrong)) return "chart.wrong_in_part";
    if (series.any(RowStanding::partial)) return "chart.partial";
    if (series.any(RowStanding::unknown)) return "chart.unknown";
    return series.any(RowStanding::races) ? "chart.races" : nullptr;
}

bool any_warm(const MeasuredSeries& series) {
    return std::any_of(series.rows.begin(), series.rows.end(),
                       [](const MeasuredRow& row) { return row.row->cache == "warm"; });
}

}  // namespace

std::string processor_text(const results::Host& host) {
    std::string name = host.processor;
    for (const std::string_view sign : {"(R)", "(TM)", "(tm)", " Processor", " CPU"})
        for (std::size_t index = name.find(sign); index != std::string::npos;
             index = name.find(sign))
            name.erase(index, sign.size());
    return name;
}

TimeSigns time_signs(const Translations& tr) {
    return {tr("unit.s"), tr("unit.ms"), tr("unit.us"), tr("unit.ns")};
}

std::string document_text(const results::DocumentFigure& figure, const Translations& tr) {
    return tr("chart.document", fmt::arg("document", figure.document),
              fmt::arg("hardware", tr.get("hardware." + figure.hardware, figure.hardware)));
}

std::string device_text(const results::Measurements& measurements) {
    if (results::names_several(measurements.device.id)) return measurements.device.name;
    if (measurements.device.platform == "Portable Computing Language" &&
        !measurements.host.processor.empty())
        return "PoCL, " + processor_text(measurements.host);
    if (measurements.device.name == "the host") return processor_text(measurements.host);
    return measurements.device.name;
}

std::string series_name(const MeasuredSeries& series, const std::vector<Source>& sources,
                        const Translations& tr) {
    const results::Row& row = *series.rows.front().row;
    std::string name = tr.get("variant." + series.variant + ".title", row.title);
    if (!series.set.empty()) name += " " + catalogue::settings_text(series.set);
    if (series.group > 0) name += " · " + tr("chart.group", fmt::arg("group", series.group));
    if (any_warm(series)) name += " · " + tr("chart.warm");
    if (sources.size() > 1) {
        const Source& source = sources[series.source];
        // The host's own loops have nothing to do with the device beside it.
        const bool of_host = series.kind == "reference" && row.device_ms.empty();
        const bool only = std::count_if(sources.begin(), sources.end(), [&](const Source& other) {
                              return other.processor == source.processor;
                          }) == 1;
        name += " · " +
                (of_host && only && !source.processor.empty() ? source.processor : source.label);
    }
    if (const char* key = amiss(series)) name += " (" + tr(key) + ")";
    return name;
}

std::string factor_text(double factor) {
    if (factor >= 100) return fmt::format("{:.0f}×", factor);
    return factor < 0.01 ? fmt::format("{:.2g}×", factor) : fmt::format("{:#.3g}×", factor);
}

std::string work_text(const std::vector<Source>& sources, const Translations& tr) {
    std::set<std::string> inputs;
    std::string devices;
    for (const Source& source : sources) {
        devices += (devices.empty() ? "" : " · ") + source.label;
        for (const results::Measurements* file : source.files)
            inputs.insert(file->input);
    }
    std::string input;
    for (const std::string& text : inputs)
        input += (input.empty() ? "" : ", ") + text;
    const results::Measurements& first = *sources.front().files.front();
    if (first.op.empty()) return tr("chart.work_own") + " · " + devices;
    return tr("chart.work", fmt::arg("op", first.op), fmt::arg("type", first.type),
              fmt::arg("input", input)) +
           " · " + devices;
}

std::string row_tip(const MeasuredRow& measured_row, const std::string& name, const Source& source,
                    const Translations& tr) {
    const results::Row& row = *measured_row.row;
    const results::Summary& ms = measured_row.ms;
    std::string size = tr("chart.tip_n", fmt::arg("n", catalogue::size_text(row.n)));
    if (row.group > 0) size += ", " + tr("chart.group", fmt::arg("group", row.group));
    const std::array lines{
        name,
        size,
        tr("chart.tip_median", fmt::arg("median", milliseconds_text(ms.median, tr)),
           fmt::arg("rate", catalogue::figure_text(measured_row.gigabytes_per_second()))),
        ms.q3 > ms.q1 ? tr("chart.tip_quartiles", fmt::arg("low", milliseconds_text(ms.q1, tr)),
                           fmt::arg("high", milliseconds_text(ms.q3, tr)))
                      : std::string(),
        samples_text(row, tr),
        error_text(row, tr),
        verdict_text(row, tr),
        source.label};
    std::string tip;
    for (const std::string& line : lines)
        if (!line.empty()) tip += (tip.empty() ? "" : "\n") + line;
    return tip;
}

std::string figure_tip(const results::DocumentFigure& figure, const std::string& name,
                       const Translations& tr) {
    std::string size = tr("chart.tip_n", fmt::arg("n", catalogue::size_text(figure.n)));
    if (figure.group > 0) size += ", " + tr("chart.group", fmt::arg("group", figure.group));
    return name + "\n" + size + "\n" + milliseconds_text(figure.ms, tr) + "\n" +
           document_text(figure, tr) + "\n" + tr("chart.not_here");
}

std::vector<std::string> notes_of(const LegendFlags& in, const std::vector<Source>& sources,
                                  const std::vector<MeasuredSeries>& series,
                                  const Translations& tr) {
    struct Note {
        bool when;
        const char* key;
    };
    const bool warm = std::any_of(series.begin(), series.end(), any_warm);
    const bool unknown = std::any_of(series.begin(), series.end(), [](const auto& each) {
        return each.any(RowStanding::unknown);
    });
    const std::array list{Note{!in.bars && in.bands && !in.single, "chart.note_bands"},
                          Note{!in.bars && in.bands && in.single, "chart.note_point_whiskers"},
                          Note{!in.bars && !in.bands && in.medians, "chart.note_points"},
                          Note{in.bars && in.bands, "chart.note_whiskers"},
                          Note{in.predicted, "chart.note_predicted"},
                          Note{in.wrong, "chart.note_wrong"},
                          Note{in.muted, "chart.note_muted"},
                          Note{in.bound_marks, "chart.note_bound_marks"},
                          Note{in.bound_line, "chart.note_bound_line"},
                          Note{in.bound_lines, "chart.note_bound_lines"},
                          Note{in.ceiling, "chart.note_ceiling"},
                          Note{in.datasheet, "chart.note_datasheet"},
                          Note{in.elsewhere, "chart.note_elsewhere"},
                          Note{unknown, "chart.note_unknown"},
                          Note{warm, "chart.note_warm"}};
    std::vector<std::string> notes;
    for (const Note& note : list)
        if (note.when) notes.push_back(tr(note.key));
    for (const Source& source : sources)
        if (std::any_of(source.files.begin(), source.files.end(),
                        [](const results::Measurements* file) { return !file->complete; }))
            notes.push_back(tr("chart.note_incomplete", fmt::arg("device", source.label)));
    return notes;
}

}  // namespace lab::figures
