#include "gui/files/export_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/paths.h"
#include "figures/painters/cairo.h"
#include "figures/painters/gif.h"
#include "figures/painters/save.h"
#include "figures/painters/svg.h"
#include "gui/shell/ui.h"
#include "session/files/export_file.h"
#include "session/files/new_file.h"

namespace lab::gui {
namespace {

constexpr double kSeconds = 1.5;  // each step of an animation

// Each step of the range as a slide; what is on screen stays where it is.
std::vector<figures::Scene> step_slides(Ui& ui, StepRange range) {
    session::Walk& walk = ui.change().walk();
    const std::size_t here = walk.position();
    std::vector<figures::Slide> all;
    try {
        for (std::size_t step = range.first; step <= range.last; ++step) {
            walk.go_to(step);
            all.push_back(shown_view(ui).slide(ui));
        }
    } catch (...) {
        walk.go_to(here);
        throw;
    }
    walk.go_to(here);
    return figures::slides(all, ui.metrics);
}

StepRange within(const Ui& ui, StepRange range) {
    const std::size_t last = ui.session.walk().last_position();
    range.last = std::min(range.last, last);
    range.first = std::min(range.first, range.last);
    return range;
}

std::string animated_gif(const Ui& ui, const std::vector<figures::Scene>& scenes) {
    constexpr double kPixels = 4.0 / 3;  // a point: 1280 x 720 for a slide
    std::optional<figures::Gif> gif;
    for (const figures::Scene& scene : scenes) {
        const figures::Pixels frame = figures::pixels_of(scene, ui.palette, ui.metrics, kPixels);
        if (!gif) gif.emplace(frame.width, frame.height, static_cast<int>(100 * kSeconds));
        gif->add(frame);
    }
    return std::move(*gif).finish();
}

}  // namespace

bool has_steps(const Ui& ui) {
    return shown_view(ui).slide != nullptr && ui.session.walk().last_position() > 0 &&
           !session::export_suffixes(ui.session).empty();
}

fs::path save_animation(Ui& ui, StepRange range, const fs::path& file) {
    const std::string suffix = suffix_of(file) == ".svg" ? ".svg" : ".gif";
    const std::vector<figures::Scene> scenes = step_slides(ui, within(ui, range));
    const fs::path written = session::new_file(file.parent_path(), file.stem().string(), suffix);
    write_file(written, suffix == ".svg" ? figures::animated_svg(scenes, ui.palette, kSeconds)
                                         : animated_gif(ui, scenes));
    return written;
}

std::vector<fs::path> save_each_step(Ui& ui, StepRange range, const fs::path& file) {
    figures::check_suffix(file);
    range = within(ui, range);
    const std::string suffix = file.extension().string();
    const auto digits = std::max<std::size_t>(2, std::to_string(range.last).size());
    std::vector<fs::path> written;
    std::size_t step = range.first;
    for (const figures::Scene& scene : step_slides(ui, range)) {
        const std::string stem = fmt::format("{}-{:0{}}", file.stem().string(), step++, digits);
        written.push_back(session::new_file(file.parent_path(), stem, suffix));
        figures::save(scene, ui.palette, ui.metrics, written.back());
    }
    return written;
}

}  // namespace lab::gui
