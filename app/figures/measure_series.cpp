#include "figures/measure_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ranges.h"
#include "catalogue/number.h"
#include "catalogue/shape.h"
#include "results/gains.h"
#include "results/request.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr const char* kHostOnly = "the host";  // the device of files that used none

bool same_row(const results::Row& a, const results::Row& b) {
    return std::tie(a.variant, a.set, a.n, a.group, a.cache) ==
           std::tie(b.variant, b.set, b.n, b.group, b.cache);
}

bool same_device(const results::Measurements& a, const results::Measurements& b) {
    return a.device.name == b.device.name || a.device.name == kHostOnly ||
           b.device.name == kHostOnly;
}

// The host's own loops may be in several files of one device: the first are taken.
bool collide(const Source& source, const results::Measurements& file) {
    return any_of(file.rows, [&](const results::Row& row) {
        return row.kind == "variant" && any_of(source.rows, [&](const results::Row* there) {
                   return same_row(*there, row);
               });
    });
}

void add_file(Source& to, const results::Measurements& file) {
    to.files.push_back(&file);
    const std::vector<const results::Row*> before = to.rows;
    for (const results::Row& row : file.rows)
        if (none_of(before, [&](const results::Row* there) { return same_row(*there, row); }))
            to.rows.push_back(&row);
    if (to.device.empty() || to.device == kHostOnly) {
        to.device = file.device.name;
        to.label = device_text(file);
    }
    to.processor = processor_text(file.host);
}

// For the same name, they are distinguished by their hosts, else by numbers.
void set_apart(std::vector<Source>& sources) {
    const auto ambiguous = [&] {
        return mapped<bool>(sources, [&](const Source& source) {
            return count_if(sources, [&](const auto& of) { return of.label == source.label; }) > 1;
        });
    };
    std::vector<bool> alike = ambiguous();
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (alike[i] && !sources[i].processor.empty() &&
            sources[i].label.find(sources[i].processor) == std::string::npos)
            sources[i].label += ", " + sources[i].processor;
    std::map<std::string, int> seen;
    alike = ambiguous();
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (alike[i])
            sources[i].label += fmt::format(" ({})", ++seen[std::string(sources[i].label)]);
}

void check_same_work(std::span<const results::Measurements> files) {
    std::set<std::string> works;
    for (const results::Measurements& file : files)
        works.insert(fmt::format("{} of {}", file.op, file.type));
    if (works.size() > 1)
        throw Problem("The results are of different work, which no chart can compare",
                      fmt::format("They are {}", fmt::join(works, ", and ")),
                      "Give files of one operator and type, or measure again with --op and --type");
}

// What makes a series of a row, on one device.
struct SeriesKey {
    std::string variant;
    std::map<std::string, std::string> set;
    std::uint64_t group = 0;
    std::string cache;
    bool operator==(const SeriesKey&) const = default;
    bool operator<(const SeriesKey& other) const {
        return std::tie(variant, set, group, cache) <
               std::tie(other.variant, other.set, other.group, other.cache);
    }
};

// What tells rows of one size apart, of each variant with its settings.
struct Differing {
    std::set<SeriesKey> by_group, by_cache;
};

Differing differing(const Source& source) {
    std::map<std::pair<SeriesKey, std::uint64_t>, const results::Row*> first;  // of each size
    Differing result;
    for (const results::Row* row : source.rows) {
        const SeriesKey key{row->variant, row->set, 0, {}};
        const results::Row& before = *first.try_emplace({key, row->n}, row).first->second;
        if (before.group != row->group) result.by_group.insert(key);
        if (before.cache != row->cache) result.by_cache.insert(key);
    }
    return result;
}

SeriesKey key_of(const MeasuredSeries& of) {
    return {of.variant, of.set, of.group, of.cache};
}

SeriesKey key_of(const results::Row& row, const Differing& differing, GroupSizes groups) {
    const SeriesKey plain{row.variant, row.set, 0, {}};
    SeriesKey key = plain;
    if (groups == GroupSizes::apart && differing.by_group.contains(plain)) key.group = row.group;
    if (differing.by_cache.contains(plain)) key.cache = row.cache;
    return key;
}

void check_known(const std::vector<Source>& sources, const std::vector<std::string>& only) {
    std::vector<std::string> known;
    for (const Source& source : sources)
        for (const results::Row* row : source.rows)
            if (row->kind != "ceiling" && !contains(known, row->variant))
                known.push_back(row->variant);
    for (const std::string& id : only)
        if (!contains(known, id))
            throw Problem(fmt::format("'{}' is not in the results", id), "",
                          fmt::format("There are: {}", fmt::join(known, ", ")), "--variants");
}

}  // namespace

std::vector<Source> sources_of(std::span<const results::Measurements> files) {
    check_same_work(files);
    std::vector<Source> sources;
    for (const results::Measurements& file : files) {
        if (file.rows.empty()) continue;
        const auto found = std::find_if(sources.begin(), sources.end(), [&](const Source& source) {
            const results::Host &a = source.files.front()->host, &b = file.host;
            return std::tie(a.processor, a.processors, a.memory_bytes) ==
                       std::tie(b.processor, b.processors, b.memory_bytes) &&
                   all_of(source.files,
                          [&](const auto* there) { return same_device(*there, file); }) &&
                   !collide(source, file);
        });
        add_file(found == sources.end() ? sources.emplace_back() : *found, file);
    }
    if (sources.empty())
        throw Problem("There is nothing to draw", "The results have no rows",
                      "Measure again: reduction-lab-cli measure local-tree,tile -o results.json");
    set_apart(sources);
    return sources;
}

void select(std::vector<Source>& sources, const std::vector<std::string>& only) {
    check_known(sources, only);
    if (only.empty()) return;
    for (Source& source : sources)
        std::erase_if(source.rows, [&](const results::Row* row) {
            return row->kind != "ceiling" && !contains(only, row->variant);
        });
    std::erase_if(sources, [](const Source& source) {
        return all_of(source.rows, [](const results::Row* row) { return row->kind == "ceiling"; });
    });
}

RowStatus standing_of(const results::Row& row) {
    if (!row.right) return RowStatus::wrong;
    if (row.expect == "partial") return RowStatus::partial;
    if (row.expect == "unknown") return RowStatus::unknown;
    return row.expect == "races" ? RowStatus::races : RowStatus::ranked;
}

bool MeasuredSeries::any(RowStatus standing) const {
    return any_of(rows, [&](const MeasuredRow& row) { return standing_of(*row.row) == standing; });
}

bool MeasuredSeries::all(RowStatus standing) const {
    return all_of(rows, [&](const MeasuredRow& row) { return standing_of(*row.row) == standing; });
}

std::vector<MeasuredSeries> series_of(const std::vector<Source>& sources, GroupSizes groups,
                                      const Translations& tr) {
    std::vector<SeriesKey> things;
    std::vector<MeasuredSeries> measured_series;
    for (std::size_t source = 0; source < sources.size(); ++source) {
        const Differing apart = differing(sources[source]);
        for (const results::Row* row : sources[source].rows) {
            if (row->kind == "ceiling") continue;
            const SeriesKey key = key_of(*row, apart, groups);
            const std::size_t index = position_of(things, key);
            if (index == things.size()) things.push_back(key);
            MeasuredSeries* of = find_if(measured_series, [&](const MeasuredSeries& series) {
                return series.source == source && key_of(series) == key;
            });
            if (of == nullptr) {
                const SeriesLook look = look_of_series(index, source, sources.size());
                of = &measured_series.emplace_back();
                *of = {row->variant, row->kind, row->set, key.group, key.cache,
                       source,       "",        look,     {}};
            }
            of->rows.push_back({row, row->summary()});
        }
    }
    // Beside each other whatever file they come from.
    stable_sort(measured_series, [&](const auto& a, const auto& b) {
        return position_of(things, key_of(a)) < position_of(things, key_of(b));
    });
    for (MeasuredSeries& series : measured_series) {
        stable_sort(series.rows, [](const auto& a, const auto& b) {
            return std::tie(a.row->n, a.row->group) < std::tie(b.row->n, b.row->group);
        });
        const bool mute = series.any(RowStatus::partial) || series.any(RowStatus::races);
        if (mute) series.look.role = Role::muted;
        series.name = series_name(series, sources, tr);
    }
    return measured_series;
}

std::vector<MeasuredSeries> bar_series_of(const std::vector<Source>& sources,
                                          const Translations& tr) {
    constexpr std::size_t kColours = 7;
    std::vector<MeasuredSeries> series = series_of(sources, GroupSizes::apart, tr);
    if (sources.size() <= 1 && series.size() <= kColours) return series;
    for (MeasuredSeries& each : series) {
        const Role role = each.look.role;
        each.look = look_of_series(each.source, 0, 1);
        if (role == Role::muted) each.look.role = role;
    }
    return series;
}

// The largest size that most of the series of a device have: kernels of one group stop early.
static std::uint64_t size_of_most(const std::vector<const MeasuredSeries*>& series) {
    std::map<std::uint64_t, std::size_t> sizes;
    for (const MeasuredSeries* each : series) {
        std::set<std::uint64_t> own;
        for (const MeasuredRow& row : each->rows)
            own.insert(row.row->n);
        for (const std::uint64_t n : own)
            ++sizes[n];
    }
    return results::common_size(sizes);
}

static double bandwidth_at(const MeasuredSeries& series, std::uint64_t n) {
    double best = 0;
    for (const MeasuredRow& row : series.rows)
        if (row.row->n == n && row.row->right) best = std::max(best, row.gigabytes_per_second());
    return best;
}

void keep_colours(std::vector<MeasuredSeries>& series, const std::vector<Source>& sources,
                  const std::vector<std::string>& asked, std::size_t most) {
    const auto needs = [](const MeasuredSeries& each) {
        return each.look.role != Role::muted && !each.all(RowStatus::wrong);
    };
    if (count_if(series, needs) <= most) return;
    std::set<const MeasuredSeries*> kept;
    for (std::size_t source = 0; source < sources.size(); ++source) {
        std::vector<const MeasuredSeries*> own;
        for (const MeasuredSeries& each : series)
            if (each.source == source && (needs(each) || contains(asked, each.variant)))
                own.push_back(&each);
        const std::uint64_t n = size_of_most(own);
        const auto order = [&](const MeasuredSeries* each) {  // the least first
            return std::pair(position_of(asked, each->variant), -bandwidth_at(*each, n));
        };
        stable_sort(own, [&](const auto* a, const auto* b) { return order(a) < order(b); });
        own.resize(std::min(own.size(), std::max<std::size_t>(most / sources.size(), 1)));
        kept.insert(own.begin(), own.end());
    }
    std::vector<SeriesKey> coloured;  // as they stand in the chart
    for (MeasuredSeries& each : series) {
        if (!kept.contains(&each)) {
            each.look = {Role::idle, Marker::circle};
            each.named = false;
            continue;
        }
        const std::size_t place = position_of(coloured, key_of(each));
        if (place == coloured.size()) coloured.push_back(key_of(each));
        if (each.look.role != Role::muted)
            each.look = look_of_series(place, each.source, sources.size());
    }
}

namespace {

constexpr std::size_t kMostSamples = 5;  // listed one by one

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
        return tr("chart.tip_samples", arg("count", samples.size()), arg("list", all));
    }
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    return tr("chart.tip_range", arg("count", samples.size()),
              arg("low", milliseconds_text(*low, tr)), arg("high", milliseconds_text(*high, tr)));
}

std::string verdict_text(const results::Row& row, const Translations& tr) {
    if (!row.right) return tr("chart.tip_wrong", arg("got", row.result), arg("want", row.expected));
    if (row.kind == "ceiling") return {};
    const char* key = "chart.tip_right";
    if (row.expect == "unknown") key = "chart.tip_unknown";
    if (row.expect == "partial") key = "chart.tip_partial";
    if (row.expect == "races") key = "chart.tip_races";
    return tr(key);
}

std::string error_text(const results::Row& row, const Translations& tr) {
    if (row.kind == "ceiling" || row.expect == "unknown") return {};
    if (!row.exact.empty()) return tr("measure.wrapped", arg("exact", row.exact));
    if (row.error == 0) return tr("chart.tip_exact");
    const std::string error = std::isfinite(row.error) ? tick_text(Unit::powers, row.error) : "-";
    if (!(row.bound > 0)) return tr("chart.tip_error", arg("error", error));
    return tr("chart.tip_error_bound", arg("error", error),
              arg("bound", tick_text(Unit::powers, row.bound)));
}

// Why a series is not as the others, as a key; null: it is.
const char* amiss(const MeasuredSeries& series) {
    if (series.all(RowStatus::wrong)) return "chart.wrong";
    if (series.any(RowStatus::wrong)) return "chart.wrong_in_part";
    if (series.any(RowStatus::partial)) return "chart.partial";
    if (series.any(RowStatus::unknown)) return "chart.unknown";
    return series.any(RowStatus::races) ? "chart.races" : nullptr;
}

bool any_warm(const MeasuredSeries& series) {
    return any_of(series.rows, [](const MeasuredRow& row) { return row.row->cache == "warm"; });
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
    return tr("chart.document", arg("document", figure.document),
              arg("hardware", tr.get("hardware." + figure.hardware, figure.hardware)));
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
    if (series.group > 0) name += " · " + tr("chart.group", arg("group", series.group));
    if (any_warm(series)) name += " · " + tr("chart.warm");
    if (sources.size() > 1) {
        const Source& source = sources[series.source];
        // The host's own loops have nothing to do with the device beside it.
        const bool of_host = series.kind == "reference" && row.device_ms.empty();
        const bool only = count_if(sources, [&](const Source& other) {
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
    const results::Measurements& first = *sources.front().files.front();
    if (first.op.empty()) return tr("chart.work_own") + " · " + devices;
    return tr("chart.work", arg("op", first.op), arg("type", first.type),
              arg("input", fmt::format("{}", fmt::join(inputs, ", ")))) +
           " · " + devices;
}

std::string row_tip(const MeasuredRow& measured_row, const std::string& name, const Source& source,
                    const Translations& tr) {
    const results::Row& row = *measured_row.row;
    const results::Summary& ms = measured_row.ms;
    std::string size = tr("chart.tip_n", arg("n", catalogue::size_text(row.n)));
    if (row.group > 0) size += ", " + tr("chart.group", arg("group", row.group));
    const std::array lines{
        name,
        size,
        tr("chart.tip_median", arg("median", milliseconds_text(ms.median, tr)),
           arg("rate", catalogue::figure_text(measured_row.gigabytes_per_second()))),
        ms.q3 > ms.q1 ? tr("chart.tip_quartiles", arg("low", milliseconds_text(ms.q1, tr)),
                           arg("high", milliseconds_text(ms.q3, tr)))
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
    std::string size = tr("chart.tip_n", arg("n", catalogue::size_text(figure.n)));
    if (figure.group > 0) size += ", " + tr("chart.group", arg("group", figure.group));
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
    const bool warm = any_of(series, any_warm);
    const bool unknown =
        any_of(series, [](const auto& each) { return each.any(RowStatus::unknown); });
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
        if (any_of(source.files, [](const results::Measurements* file) { return !file->complete; }))
            notes.push_back(tr("chart.note_incomplete", arg("device", source.label)));
    return notes;
}

}  // namespace lab::figures
