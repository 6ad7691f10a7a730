#include "gui/files/export_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/paths.h"
#include "figures/painters/save.h"
#include "figures/painters/svg.h"
#include "gui/shell/window_view.h"
#include "session/files/export_file.h"
#include "session/files/new_file.h"

namespace lab::gui {
namespace {

constexpr double kSeconds = 1.5;  // each step of an animation

// Draws each step of the range, then goes back.
void each_scene(Ui& ui, StepRange range,
                const std::function<void(std::size_t step, figures::Scene)>& take) {
    session::Walk& walk = ui.change().walk();
    const std::size_t here = walk.position();
    try {
        for (std::size_t step = range.first; step <= range.last; ++step) {
            walk.go_to(step);
            take(step, shown_view(ui).scene(ui));
        }
    } catch (...) {
        walk.go_to(here);
        throw;
    }
    walk.go_to(here);
}

StepRange within(const Ui& ui, StepRange range) {
    const std::size_t last = ui.session.walk().last_position();
    range.last = std::min(range.last, last);
    range.first = std::min(range.first, range.last);
    return range;
}

}  // namespace

bool has_steps(const Ui& ui) {
    return shown_view(ui).scene != nullptr && ui.session.walk().last_position() > 0 &&
           !session::export_suffixes(ui.session).empty();
}

fs::path save_animation(Ui& ui, StepRange range, const fs::path& file) {
    std::vector<figures::Scene> scenes;
    each_scene(ui, within(ui, range),
               [&](std::size_t, figures::Scene scene) { scenes.push_back(std::move(scene)); });
    const fs::path written = session::new_file(file.parent_path(), file.stem().string(), ".svg");
    write_file(written, figures::animated_svg(scenes, ui.palette, kSeconds));
    return written;
}

std::vector<fs::path> save_each_step(Ui& ui, StepRange range, const fs::path& file) {
    figures::check_suffix(file);
    range = within(ui, range);
    const std::string suffix = file.extension().string();
    const auto digits = std::max<std::size_t>(2, std::to_string(range.last).size());
    std::vector<fs::path> written;
    each_scene(ui, range, [&](std::size_t step, const figures::Scene& scene) {
        const std::string stem = fmt::format("{}-{:0{}}", file.stem().string(), step, digits);
        written.push_back(session::new_file(file.parent_path(), stem, suffix));
        figures::save(scene, ui.palette, ui.metrics, written.back());
    });
    return written;
}

}  // namespace lab::gui
