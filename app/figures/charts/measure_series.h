// Result files as what charts show: the devices that are compared, and the series of each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/plot/markers.h"
#include "results/result.h"

namespace lab::figures {

// One device with all that was measured on it. Rows belong to the measurements given.
struct Source {
    std::string label;  // apart from those of the others
    std::string device;
    std::string processor;  // of its host
    std::vector<const results::Measurements*> files;
    std::vector<const results::Row*> rows;
};

// Files of the same device and host are one source where no row is in two of them; those of a host
// alone go with a device of that host. Throws Problem if there are no rows, or if operator or type
// are not the same in all.
std::vector<Source> sources_of(std::span<const results::Measurements> files,
                               const Translations& tr);

// Leaves only rows of `only` (ids; none: all) and ceilings, and only devices that have such rows.
// Throws Problem with the ids there are for one that is not among them.
void select(std::vector<Source>& sources, const std::vector<std::string>& only);

// What a row may be used for.
enum class RowStanding : std::uint8_t {
    ranked,
    partial,  // right, but a part of the work
    races,    // right this time, but it races
    wrong,
};
RowStanding standing_of(const results::Row& row);

struct MeasuredRow {
    const results::Row* row = nullptr;
    results::Summary ms;

    double gigabytes_per_second() const {
        return ms.median > 0 ? static_cast<double>(row->bytes) / ms.median * 1e-6 : 0;
    }
};

// A variant with its settings on one device.
struct MeasuredSeries {
    std::string variant, kind;
    std::map<std::string, std::string> set;
    std::uint64_t group = 0;  // where rows of one size differ by it; else 0
    std::string cache;        // likewise; else empty
    std::size_t source = 0;
    std::string name;
    SeriesLook look;                // muted if it is never ranked
    std::vector<MeasuredRow> rows;  // by n, then by group

    bool any(RowStanding standing) const;
    bool all(RowStanding standing) const;
};

enum class GroupSizes : std::uint8_t { apart, together };

// All but the ceilings, in the order in which they come in the files: that of the catalogue. Looks
// follow that order, so each chart of the same sources shows a series alike.
std::vector<MeasuredSeries> series_of(const std::vector<Source>& sources, GroupSizes groups,
                                      const Translations& tr);

}  // namespace lab::figures
