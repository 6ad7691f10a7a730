// What the charts of measurements say: names, tips and notes, in the user's language.
#pragma once

#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/charts/measure_series.h"
#include "figures/plot/ticks.h"
#include "results/documents.h"

namespace lab::figures {

// A device as people call it: PoCL's names are long, so the processor's stands for them.
std::string device_text(const results::Measurements& measurements);
std::string processor_text(const results::Host& host);  // without the signs of registered names
// The signs of seconds, milliseconds, microseconds and nanoseconds.
TimeSigns time_signs(const Translations& tr);
// "document B, NVIDIA RTX 4090"
std::string document_text(const results::DocumentFigure& figure, const Translations& tr);

// With its settings, its device where there are several, and the word for what is amiss.
std::string series_name(const MeasuredSeries& series, const std::vector<Source>& sources,
                        const Translations& tr);

// "1.70×"
std::string factor_text(double factor);

// "add of float, input random:1 · NVIDIA H200"
std::string work_text(const std::vector<Source>& sources, const Translations& tr);

// All that is known of a row, one line each.
std::string row_tip(const MeasuredRow& row, const std::string& name, const Source& source,
                    const Translations& tr);
std::string figure_tip(const results::DocumentFigure& figure, const std::string& name,
                       const Translations& tr);

// What a chart has in it that needs a word.
struct LegendFlags {
    bool medians = true, single = true, bands = false, wrong = false, muted = false,
         elsewhere = false, ceiling = false, datasheet = false, bound_marks = false,
         bound_line = false, bound_lines = false, bars = false, predicted = false;
};
std::vector<std::string> notes_of(const LegendFlags& in, const std::vector<Source>& sources,
                                  const std::vector<MeasuredSeries>& series,
                                  const Translations& tr);

}  // namespace lab::figures
