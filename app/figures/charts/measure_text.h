// The texts of measurement charts: names, tooltips and notes, in the user's language.
#pragma once

#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/charts/measure_series.h"
#include "figures/plot/ticks.h"
#include "results/documents.h"

namespace lab::figures {

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

// What a chart contains that needs an explanation.
struct LegendFlags {
    bool medians = true, single = true, bands = false, wrong = false, muted = false,
         elsewhere = false, ceiling = false, datasheet = false, bound_marks = false,
         bound_line = false, bound_lines = false, bars = false, predicted = false;
};
std::vector<std::string> notes_of(const LegendFlags& in, const std::vector<Source>& sources,
                                  const std::vector<MeasuredSeries>& series,
                                  const Translations& tr);

}  // namespace lab::figures
