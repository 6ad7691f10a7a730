// Timing at full size.
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool measuring(const Session& session) {
    return session.measure().results.waiting;
}
bool can_measure(const Session& session) {
    return !measuring(session) && !session.settings().measure.variants.empty();
}

bool computing(const Session& session) {
    return session.settings().view == "lattice" && session.lattice().running();
}

bool searching(const Session& session) {
    return session.settings().view == "race" && session.race().outcomes().waiting;
}

void run_full_size(Session& session) {
    session.set_view("measure");
    session.run_measure();
}

// The nearest thing that can be ended: what lies over the view, then what runs.
void cancel(Session& session) {
    if (!session.overlay().empty())
        session.show("");
    else if (computing(session))
        session.lattice().cancel();
    else if (measuring(session))
        session.cancel_measure();
    else if (session.race().trials().waiting)
        session.race().cancel_trials();
    else if (searching(session))
        session.race().cancel_search();
    else
        session.cancel_step();
}

constexpr std::array kMeasureCommands{
    Command{"measure.run", "R", can_measure, run_full_size},
    Command{"cancel", "Escape",
            [](const Session& s) {
                return !s.overlay().empty() || computing(s) || measuring(s) ||
                       s.race().trials().waiting || searching(s) || s.step().passes.waiting;
            },
            cancel},
};

}  // namespace

std::span<const Command> measure_commands() {
    return kMeasureCommands;
}

}  // namespace lab::session
