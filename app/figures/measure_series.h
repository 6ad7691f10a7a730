// Result files as charts need them: the devices to compare, and the series of each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/chart.h"
#include "results/documents.h"
#include "results/result.h"
namespace lab::figures {

// One device with all its measurements. Rows belong to the given measurements.
struct Source {
    std::string label;  // unlike the others' labels
    std::string device;
    std::string processor;  // of its host
    std::vector<const results::Measurements*> files;
    std::vector<const results::Row*> rows;
};

// Files of the same device and host are one source if no row is in two of them; files with host
// loops only join a device of that host. Throws Problem if there are no rows, or if operator or
// type differ.
std::vector<Source> sources_of(std::span<const results::Measurements> files);

// Keeps only rows of `only` (ids; empty: all) and ceilings, and only devices with such rows. Throws
// Problem with the available ids for an unknown one.
void select(std::vector<Source>& sources, const std::vector<std::string>& only);

// The use that a chart may make of a row.
enum class RowStatus : std::uint8_t {
    ranked,
    partial,  // right, but a part of the work
    races,    // right this time, but it races
    unknown,  // a kernel whose right result nobody knows
    wrong,
};
RowStatus standing_of(const results::Row& row);

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
    std::uint64_t group = 0;  // if rows of one size differ by it, else 0
    std::string cache;        // if rows differ by it, else empty
    std::size_t source = 0;
    std::string name;
    SeriesLook look;                // muted if it is never ranked
    std::vector<MeasuredRow> rows;  // by n, then by group
    bool named = true;              // else one of many, in grey

    bool any(RowStatus standing) const;
    bool all(RowStatus standing) const;
};

// Curves of a chart in colours of their own; the rest are grey.
inline constexpr std::size_t kMostColoured = 6;

// Leaves colours to `most` of them, as many on each device: to those that were asked for, ids in
// this order, then to its fastest at the largest n that most of its kernels have. The rest are grey
// and have no name.
void keep_colours(std::vector<MeasuredSeries>& series, const std::vector<Source>& sources,
                  const std::vector<std::string>& asked, std::size_t most);

enum class GroupSizes : std::uint8_t { apart, together };

// All but the ceilings, in the order of the files, which is the catalogue's. Looks follow that
// order, so a series looks the same in all charts of the same sources.
std::vector<MeasuredSeries> series_of(const std::vector<Source>& sources, GroupSizes groups,
                                      const Translations& tr);
// Makes series of bars, which have their names beside them: of several devices each has a look of
// its own, and more than colours are all of one.
std::vector<MeasuredSeries> bar_series_of(const std::vector<Source>& sources,
                                          const Translations& tr);

// A short device name: for PoCL, whose names are long, the processor's.
std::string device_text(const results::Measurements& measurements);
std::string processor_text(const results::Host& host);  // without (R) and (TM)
// The signs of seconds, milliseconds, microseconds and nanoseconds.
TimeSigns time_signs(const Translations& tr);
// "document B, NVIDIA RTX 4090"
std::string document_text(const results::DocumentFigure& figure, const Translations& tr);

// With its settings, its device if there are several, and what is wrong with it.
std::string series_name(const MeasuredSeries& series, const std::vector<Source>& sources,
                        const Translations& tr);

// "1.70×"
std::string factor_text(double factor);

// "add of float, input random:1 · NVIDIA H200"
std::string work_text(const std::vector<Source>& sources, const Translations& tr);

// All that is known about a row, line by line.
std::string row_tip(const MeasuredRow& row, const std::string& name, const Source& source,
                    const Translations& tr);
std::string figure_tip(const results::DocumentFigure& figure, const std::string& name,
                       const Translations& tr);

// Flags the marks of a chart that need an explanation.
struct LegendFlags {
    bool medians = true, single = true, bands = false, wrong = false, muted = false,
         elsewhere = false, ceiling = false, datasheet = false, bound_marks = false,
         bound_line = false, bound_lines = false, bars = false, predicted = false;
};
std::vector<std::string> notes_of(const LegendFlags& in, const std::vector<Source>& sources,
                                  const std::vector<MeasuredSeries>& series,
                                  const Translations& tr);

}  // namespace lab::figures
