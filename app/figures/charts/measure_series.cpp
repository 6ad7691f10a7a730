#include "figures/charts/measure_series.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "catalogue/number.h"
#include "figures/charts/measure_text.h"

namespace lab::figures {
namespace {

constexpr const char* kHostOnly = "the host";  // the device of files that used none

bool same_host(const results::Host& a, const results::Host& b) {
    return a.processor == b.processor && a.processors == b.processors &&
           a.memory_bytes == b.memory_bytes;
}

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
    return std::any_of(file.rows.begin(), file.rows.end(), [&](const results::Row& row) {
        return row.kind == "variant" &&
               std::any_of(source.rows.begin(), source.rows.end(),
                           [&](const results::Row* there) { return same_row(*there, row); });
    });
}

void add_file(Source& to, const results::Measurements& file) {
    to.files.push_back(&file);
    const std::vector<const results::Row*> before = to.rows;
    for (const results::Row& row : file.rows)
        if (std::none_of(before.begin(), before.end(),
                         [&](const results::Row* there) { return same_row(*there, row); }))
            to.rows.push_back(&row);
    if (to.device.empty() || to.device == kHostOnly) {
        to.device = file.device.name;
        to.label = device_text(file);
    }
    to.processor = processor_text(file.host);
}

// For the same name, they are distinguished by their hosts, else by numbers.
void set_apart(std::vector<Source>& sources) {
    const auto twins = [&](const Source& source) {
        return std::count_if(sources.begin(), sources.end(),
                             [&](const Source& other) { return other.label == source.label; });
    };
    std::vector<bool> ambiguous;
    for (const Source& source : sources)
        ambiguous.push_back(twins(source) > 1);
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (ambiguous[i] && !sources[i].processor.empty() &&
            sources[i].label.find(sources[i].processor) == std::string::npos)
            sources[i].label += ", " + sources[i].processor;
    std::map<std::string, int> seen;
    ambiguous.clear();
    for (const Source& source : sources)
        ambiguous.push_back(twins(source) > 1);
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (ambiguous[i]) {
            const int number = ++seen[sources[i].label];
            sources[i].label += fmt::format(" ({})", number);
        }
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
            if (row->kind != "ceiling" &&
                std::find(known.begin(), known.end(), row->variant) == known.end())
                known.push_back(row->variant);
    for (const std::string& id : only)
        if (std::find(known.begin(), known.end(), id) == known.end())
            throw Problem(fmt::format("'{}' is not in the results", id), "",
                          fmt::format("There are: {}", fmt::join(known, ", ")), "--variants");
}

}  // namespace

std::vector<Source> sources_of(std::span<const results::Measurements> files, const Translations&) {
    check_same_work(files);
    std::vector<Source> sources;
    for (const results::Measurements& file : files) {
        if (file.rows.empty()) continue;
        const auto found = std::find_if(sources.begin(), sources.end(), [&](const Source& source) {
            return same_host(source.files.front()->host, file.host) &&
                   std::all_of(source.files.begin(), source.files.end(),
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
            return row->kind != "ceiling" &&
                   std::find(only.begin(), only.end(), row->variant) == only.end();
        });
    std::erase_if(sources, [](const Source& source) {
        return std::all_of(source.rows.begin(), source.rows.end(),
                           [](const results::Row* row) { return row->kind == "ceiling"; });
    });
}

RowStanding standing_of(const results::Row& row) {
    if (!row.right) return RowStanding::wrong;
    if (row.expect == "partial") return RowStanding::partial;
    if (row.expect == "unknown") return RowStanding::unknown;
    return row.expect == "races" ? RowStanding::races : RowStanding::ranked;
}

bool MeasuredSeries::any(RowStanding standing) const {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const MeasuredRow& row) { return standing_of(*row.row) == standing; });
}

bool MeasuredSeries::all(RowStanding standing) const {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const MeasuredRow& row) { return standing_of(*row.row) == standing; });
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
            auto thing = std::find(things.begin(), things.end(), key);
            if (thing == things.end()) thing = things.insert(things.end(), key);
            const auto index = static_cast<std::size_t>(thing - things.begin());
            const auto same = [&](const MeasuredSeries& series) {
                return series.source == source && series.group == key.group &&
                       series.cache == key.cache && series.variant == key.variant &&
                       series.set == key.set;
            };
            auto of = std::find_if(measured_series.begin(), measured_series.end(), same);
            if (of == measured_series.end())
                of = measured_series.insert(measured_series.end(),
                                            {row->variant,
                                             row->kind,
                                             row->set,
                                             key.group,
                                             key.cache,
                                             source,
                                             "",
                                             look_of_series(index, source, sources.size()),
                                             {}});
            of->rows.push_back({row, row->summary()});
        }
    }
    // Beside each other whatever file they come from.
    std::stable_sort(measured_series.begin(), measured_series.end(),
                     [&](const auto& a, const auto& b) {
                         const auto place = [&](const MeasuredSeries& of) {
                             return std::find(things.begin(), things.end(),
                                              SeriesKey{of.variant, of.set, of.group, of.cache}) -
                                    things.begin();
                         };
                         return place(a) < place(b);
                     });
    for (MeasuredSeries& series : measured_series) {
        std::stable_sort(series.rows.begin(), series.rows.end(), [](const auto& a, const auto& b) {
            return std::tie(a.row->n, a.row->group) < std::tie(b.row->n, b.row->group);
        });
        const bool mute = series.any(RowStanding::partial) || series.any(RowStanding::races);
        if (mute) series.look.role = Role::muted;
        series.name = series_name(series, sources, tr);
    }
    return measured_series;
}

}  // namespace lab::figures
