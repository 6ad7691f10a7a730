#include "session/learn/moment_page.h"

#include "lessons/files/write_page.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

std::string order_of(const std::vector<machine::Turn>& turns) {
    return std::string(machine::kTurnsPrefix) + text_of_turns(turns);
}

// The order and the place of a run that is acted out; an order that has a name keeps it.
void take_race(const Race& race, const simulation::MachineRun& stepped, lessons::Show& show) {
    const std::vector<machine::Turn> turns = race.all_turns();
    const bool same = stepped.run != nullptr && machine::turns_of(stepped.run->trace()) == turns;
    const machine::Order& order = stepped.subject.machine.order;
    const bool named = same && order.kind != machine::Order::Kind::list;
    show.order = named ? machine::text_of(order) : order_of(turns);
    show.view = "race";
    if (race.at_end())
        show.at = {lessons::Place::Kind::end, 0};
    else if (race.cursor() > 0)
        show.at = {lessons::Place::Kind::action, race.cursor()};
}

// The schedule of the run that is shown, so that the page shows the same.
void take_steps(const StepView& view, lessons::Show& show) {
    const machine::Run* run = view.simulated().run->run;
    const machine::Order& order = view.simulated().run->subject.machine.order;
    const bool list = order.kind == machine::Order::Kind::list && run != nullptr;
    show.order = list ? order_of(machine::turns_of(run->trace())) : machine::text_of(order);
    const std::size_t last = view.table().answer ? view.table().answer->rows.size() - 1 : 0;
    if (view.cursor() >= last)
        show.at = {lessons::Place::Kind::end, 0};
    else if (view.cursor() > 0)
        show.at = {lessons::Place::Kind::row, view.cursor()};
}

}  // namespace

void add_moment(const Session& session, const std::filesystem::path& folder,
                const std::string& heading) {
    const Choice& choice = session.settings().choice;
    const StepView& view = session.view<StepView>();
    if (!view.simulated().run)
        throw Problem("There is nothing to show", "No kernel has been run",
                      "Choose another kernel");
    lessons::Show show;
    show.shape = choice.shape;
    show.shape.device.clear();
    show.lanes = choice.machine.lanes;
    show.resident = choice.machine.resident;
    const Race* race = session.shows<RaceView>() ? session.view<RaceView>().race() : nullptr;
    if (race != nullptr)
        take_race(*race, *view.simulated().run, show);
    else
        take_steps(view, show);
    std::string text;
    if (choice.user_kernel || choice.opened) {
        show.kernel = std::filesystem::path(file_of(choice)).filename().string();
        text = text_of(choice);
    } else {
        show.kernel = choice.variant;
    }
    if (choice.user_kernel) {
        show.global = choice.user_kernel->global;
        show.local = choice.user_kernel->local;
        show.offset = choice.user_kernel->offset;
        show.arguments = choice.user_kernel->arguments;
    }
    add_page(folder, heading, show, text);
}

}  // namespace lab::session
