#include "gui/measure/gain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalogue/number.h"
#include "figures/charts/measure_text.h"
#include "results/gains.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

// "2.7× on a GPU; 1× on a CPU"
std::string predicted_list(const Ui& ui, const catalogue::Gain& gain) {
    struct Kind {
        const char *id, *key;
    };
    std::string list;
    for (const Kind& kind : {Kind{"gpu", "gain.on_gpu"}, Kind{"cpu", "gain.on_cpu"}}) {
        const auto found = gain.predicted.find(kind.id);
        if (found == gain.predicted.end()) continue;
        if (!list.empty()) list += ui.tr()("gain.between");
        list += ui.tr()(kind.key, fmt::arg("factor", fmt::format("{:g}×", found->second)));
    }
    return list;
}

// For each device at its largest n that has both.
std::string measured_list(const Ui& ui, const catalogue::GainStep& step,
                          const std::vector<catalogue::GainStep>& steps) {
    std::string list;
    for (const results::Measurements* results :
         session::shown_results(ui.view<session::MeasureView>().state())) {
        std::vector<const results::Row*> rows;
        std::uint64_t n = 0;
        for (const results::Row& row : results->rows)
            if (row.variant == step.id || row.variant == step.gain.after) rows.push_back(&row);
        const auto sizes = gains_by_size(rows, {&step, 1});
        if (sizes.empty()) continue;
        n = sizes.rbegin()->first;
        if (!list.empty()) list += ui.tr()("gain.between");
        list += ui.tr()(
            "gain.on_device",
            fmt::arg("factor", figures::factor_text(measured_gain(rows, steps, step, n).factor)),
            fmt::arg("device", figures::device_text(*results)),
            fmt::arg("n", catalogue::size_text(n)));
    }
    return list;
}

}  // namespace

std::string gain_text(const Ui& ui, const catalogue::Variant& variant) {
    if (variant.gain.after.empty()) return {};
    const catalogue::Catalogue& catalogue = ui.session.catalogue();
    const auto before = std::find_if(
        catalogue.variants.begin(), catalogue.variants.end(),
        [&](const catalogue::Variant& other) { return other.id == variant.gain.after; });
    const std::string title =
        before == catalogue.variants.end() ? variant.gain.after : before->title;
    std::string words =
        ui.tr()("gain.against",
                fmt::arg("before", ui.tr().get("variant." + variant.gain.after + ".title", title)),
                fmt::arg("list", predicted_list(ui, variant.gain)));
    const std::string measured =
        measured_list(ui, {variant.id, variant.gain}, gain_steps(catalogue));
    if (!measured.empty()) words += "\n" + ui.tr()("gain.measured", fmt::arg("list", measured));
    return words;
}

std::string why_text(const Ui& ui, const catalogue::Variant& variant) {
    if (variant.gain.after.empty()) return {};
    return ui.tr().get("variant." + variant.id + ".why", variant.gain.why);
}

}  // namespace lab::gui
