// What the race view shows, as a file.
#include "figures/figures/schedule_figure.h"
#include "figures/figures/schedule_now.h"
#include "figures/figures/state_figure.h"
#include "figures/painters/save.h"
#include "figures/plot/beside.h"
#include "gui/race/race_panels.h"
#include "gui/step/transport.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {

namespace fs = std::filesystem;

namespace {

figures::Scene schedule_scene(const Ui& ui, const analysis::Timeline& timeline) {
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

figures::Slide race_slide(Ui& ui) {
    const session::RaceView& view = ui.view<session::RaceView>();
    const session::Race& race = *view.race();
    constexpr float kPoints = 620;  // in which lanes and memory are as large as on screen
    figures::FigureOptions options;
    options.text_scale = ui.palette.text_scale;
    options.width = kPoints * ui.palette.text_scale;
    options.heading = false;
    const Moment moment = race_moment(ui, race);
    figures::Slide slide{
        chosen_title(ui), walk_text(ui), moment.sentence, ground_of(moment.tone), {}};
    slide.picture = figures::schedule_now(race.timeline(), race.state_view(), race.ready(),
                                          view.picked(), 0, options, ui.metrics, ui.tr())
                        .scene;
    figures::StateFigureOptions memory;
    memory.figure = options;
    memory.items = memory.legend = false;
    slide.picture = figures::one_above_the_other(
        std::move(slide.picture),
        figures::state_figure(race.state_view(), memory, ui.metrics, ui.tr()),
        12 * ui.palette.text_scale);
    return slide;
}

// The whole schedule, with what follows the turns that were chosen.
void save_race(Ui& ui, const fs::path& file, const std::string& /*suffix*/) {
    figures::save(schedule_scene(ui, ui.view<session::RaceView>().race()->timeline()), ui.palette,
                  ui.metrics, file);
}

}  // namespace lab::gui
