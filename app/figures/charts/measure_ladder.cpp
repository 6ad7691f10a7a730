// The ladder: how many times as fast each step is as the one before it, and as was predicted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "catalogue/number.h"
#include "catalogue/shape.h"
#include "figures/charts/measure_context.h"
#include "figures/plot/bars.h"
#include "results/gains.h"

namespace lab::figures {
namespace {

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
        const std::uint64_t n = in.options.n.value_or(results::size_of_gains(sizes));
        if (!sizes.contains(n)) continue;
        showns.push_back({i, n, gain_kind(source.files.front()->device), source.label});
    }
    if (showns.empty()) throw_no_gains(in);
    if (std::any_of(showns.begin(), showns.end(),
                    [&](const Shown& shown) { return shown.n != showns.front().n; }))
        for (Shown& of : showns)
            of.name += " · n = " + catalogue::size_text(of.n);
    return showns;
}

class LadderChart {
  public:
    explicit LadderChart(const MeasureContext& in)
        : in_(in),
          steps_(in.options.steps),
          series_(series_of(in.sources, GroupSizes::apart, in.tr)),
          devices_(devices_of(in)) {}

    Scene make() {
        chart_.title = in_.tr("chart.ladder", fmt::arg("n", sizes()));
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
        return bar_scene(chart_, in_.options.size, in_.fonts);
    }

  private:
    std::string sizes() const {
        std::set<std::uint64_t> all;
        for (const Shown& shown : devices_)
            all.insert(shown.n);
        std::vector<std::string> texts;
        for (const std::uint64_t n : all)
            texts.push_back(catalogue::size_text(n));
        return fmt::format("{}", fmt::join(texts, ", "));
    }

    // What steps come after is shown, too, though it was not asked for.
    bool is_asked(const std::string& id) const {
        const auto& only = in_.options.variants;
        const auto asked = [&](const std::string& text) {
            return only.empty() || std::find(only.begin(), only.end(), text) != only.end();
        };
        return asked(id) ||
               std::any_of(steps_.begin(), steps_.end(), [&](const catalogue::GainStep& step) {
                   return step.gain.after == id && asked(step.id);
               });
    }

    const MeasuredSeries* series_with(const results::Row& row) const {
        for (const MeasuredSeries& series : series_)
            for (const MeasuredRow& measured : series.rows)
                if (measured.row == &row) return &series;
        return nullptr;
    }

    std::string title_of(const std::string& id) const {
        std::string title = id;
        for (const MeasuredSeries& series : series_)
            if (series.variant == id) title = series.rows.front().row->title;
        return in_.tr.get("variant." + id + ".title", title);
    }

    std::string title_of(const results::Row& row) const {
        return title_of(row.variant) +
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
        const MeasuredSeries* series = series_with(row);
        if (series != nullptr) {
            bar.look = series->look;
            drawn_.push_back(*series);
        }
        const std::string name = series != nullptr ? series->name : id;
        bar.tip = row_tip({&row, row.summary()}, name, in_.sources[device.source], in_.tr);
        const catalogue::GainStep* step = find_step(steps_, id);
        const RowStanding standing = standing_of(row);
        if (standing == RowStanding::wrong) {
            bar.standing = BarStanding::none;
            bar.figure = in_.tr("chart.wrong_not_ranked");
            explained_.wrong = true;
        } else if (standing != RowStanding::ranked) {
            bar.standing = BarStanding::empty;
            bar.figure = in_.tr(standing == RowStanding::races ? "chart.races" : "chart.partial") +
                         ": " + in_.tr("chart.not_ranked");
        } else if (step == nullptr) {
            bar.value = 1;
            bar.figure =
                in_.tr("chart.ladder_first",
                       fmt::arg("rate", catalogue::figure_text(row.gigabytes_per_second())));
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
        bar.figure = in_.tr("chart.ladder_none", fmt::arg("before", title_of(step.gain.after)));
    }

    // What was predicted, why, and after which step, where that is not the one above.
    void add_words(Bar& bar, const catalogue::GainStep& step, const Shown& device,
                   const std::string& above) {
        const auto found = step.gain.predicted.find(device.kind);
        if (found != step.gain.predicted.end()) {
            bar.mark = found->second;
            explained_.predicted = true;
            bar.figure += "  " + in_.tr("chart.ladder_predicted",
                                        fmt::arg("factor", fmt::format("{:g}×", found->second)));
        }
        if (step.gain.after != above && bar.value > 0)
            bar.figure +=
                "  " + in_.tr("chart.ladder_after", fmt::arg("before", title_of(step.gain.after)));
        bar.tip += "\n" + in_.tr.get("variant." + step.id + ".why", step.gain.why);
    }

    void add_notes() {
        chart_.notes = notes_of(explained_, in_.sources, drawn_, in_.tr);
        for (std::size_t i = 0; i < in_.sources.size(); ++i)
            if (std::none_of(devices_.begin(), devices_.end(),
                             [&](const Shown& shown) { return shown.source == i; }))
                chart_.notes.push_back(
                    in_.tr("chart.note_no_step", fmt::arg("device", in_.sources[i].label)));
        if (!in_.options.size.heading)
            chart_.notes.insert(chart_.notes.begin(),
                                chart_.title + " · " + chart_.subtitle + in_.tr("figure.stop"));
    }

    const MeasureContext& in_;
    std::span<const catalogue::GainStep> steps_;
    std::vector<MeasuredSeries> series_, drawn_;
    std::vector<Shown> devices_;
    BarChart chart_;
    LegendFlags explained_;
};

}  // namespace

Scene ladder_chart(const MeasureContext& in) {
    return LadderChart(in).make();
}

}  // namespace lab::figures
