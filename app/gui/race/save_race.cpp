// What the race view shows, as a file.
#include "figures/figures/schedule_figure.h"
#include "figures/painters/save.h"
#include "gui/race/race_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"

namespace lab::gui {

namespace fs = std::filesystem;

// The whole schedule: the turns that were chosen, and what follows them.
void save_race(Ui& ui, const fs::path& file, const std::string& /*suffix*/) {
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
    figures::save(figures::schedule_figure(race.timeline(), subject, options, ui.metrics, ui.tr()),
                  ui.palette, ui.metrics, file);
}

}  // namespace lab::gui
