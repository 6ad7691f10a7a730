// What the race view shows, as a file.
#include "figures/figures/schedule_figure.h"
#include "figures/painters/save.h"
#include "gui/race/race_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"

namespace lab::gui {

namespace fs = std::filesystem;

namespace {

figures::Scene scene_of(const Ui& ui, const analysis::Timeline& timeline) {
    const session::Race& race = *ui.view<session::RaceView>().race();
    const session::Choice& choice = ui.session.settings().choice;
    figures::RunSubject subject;
    subject.variant = choice.user_kernel ? choice.user_kernel->file : choice.variant;
    if (race.subject().variant) subject.title = race.subject().variant->title;
    const auto& table = ui.view<session::StepView>().table().answer;
    if (table) subject.n = table->n;
    subject.group = race.state_view().group_items;
    if (!choice.user_kernel) {
        subject.op = name_of(choice.shape.op);
        subject.type = info(choice.shape.type).name;
    }
    subject.machine = choice.machine;
    constexpr std::size_t kMostTurns = 60;  // characters
    std::string turns = session::text_of_turns(race.all_turns());
    if (turns.size() > kMostTurns) turns = turns.substr(0, kMostTurns) + " …";
    subject.machine.order = turns;
    figures::FigureOptions options;
    options.text_scale = ui.palette.text_scale;
    options.width *= ui.palette.text_scale;
    return figures::schedule_figure(timeline, subject, options, ui.metrics, ui.tr());
}

}  // namespace

figures::Scene race_scene(const Ui& ui) {
    const session::Race& race = *ui.view<session::RaceView>().race();
    analysis::Timeline so_far = race.timeline();
    const std::uint64_t now = race.cursor();
    so_far.actions.resize(std::min<std::size_t>(so_far.actions.size(), now));
    std::erase_if(so_far.stale, [&](const analysis::StaleArc& arc) {
        return arc.read >= now || arc.write.value_or(0) >= now;
    });
    std::erase_if(so_far.launches, [&](const analysis::TimelineLaunch& launch) {
        return launch.first > 0 && launch.first >= now;
    });
    return scene_of(ui, so_far);
}

// The whole schedule, with what follows the turns that were chosen.
void save_race(Ui& ui, const fs::path& file, const std::string& /*suffix*/) {
    figures::save(scene_of(ui, ui.view<session::RaceView>().race()->timeline()), ui.palette,
                  ui.metrics, file);
}

}  // namespace lab::gui
