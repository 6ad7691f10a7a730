#include "session/learn/moment_page.h"

#include "lessons/files/write_page.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::session {

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
    // The schedule of the run that is shown, so that the page shows the same.
    const machine::Run* run = view.simulated().run->run;
    const machine::Order& order = view.simulated().run->subject.machine.order;
    if (order.kind == machine::Order::Kind::list && run != nullptr) {
        std::string turns = machine::text_of(machine::turns_of(run->trace()));
        for (char& c : turns)
            if (c == '\n') c = ' ';
        while (!turns.empty() && turns.back() == ' ')
            turns.pop_back();
        show.order = std::string(machine::kTurnsPrefix) + turns;
    } else {
        show.order = machine::text_of(order);
    }
    const std::size_t last = view.table().answer ? view.table().answer->rows.size() - 1 : 0;
    if (view.cursor() >= last)
        show.at = {lessons::Place::Kind::end, 0};
    else if (view.cursor() > 0)
        show.at = {lessons::Place::Kind::row, view.cursor()};
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
        show.arguments = choice.user_kernel->arguments;
    }
    add_page(folder, heading, show, text);
}

}  // namespace lab::session
