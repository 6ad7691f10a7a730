// Moving about in the lattice.
#include <fmt/format.h>

#include <array>

#include "session/lattice/lattice_view.h"
#include "session/shell/command_groups.h"
#include "session/step/step_view.h"

namespace lab::session {
namespace {

constexpr double kStep = 2;      // as close as before, each time
constexpr double kShare = 0.25;  // of the view, each time

const LatticeView& lattice_view(const Session& session) {
    return session.view<LatticeView>();
}
LatticeView& lattice_view(Session& session) {
    return session.view<LatticeView>();
}
bool shown(const Session& session) {
    return session.shows<LatticeView>() && lattice_view(session).picture() != nullptr;
}
bool can_come_closer(const Session& session) {
    const LatticeView& lattice = lattice_view(session);
    return shown(session) && lattice.camera().zoom < most_zoom(lattice.frame()) * 0.999;
}
bool is_close(const Session& session) {
    return shown(session) && lattice_view(session).camera().zoom > 1.001;
}
bool has_faults(const Session& session) {
    if (!shown(session)) return false;
    const analysis::Lattice& picture = *lattice_view(session).picture();
    return !picture.raced.empty() || !picture.stale.empty();
}

void to_next_fault(Session& session) {
    if (const auto place = lattice_view(session).next_fault()) lattice_view(session).go_to(*place);
}
void to_result(Session& session) {
    if (const auto place = lattice_view(session).result()) lattice_view(session).go_to(*place);
}

constexpr std::uint64_t kMostSteps = 1024;  // elements that the step view draws

bool can_step(const Session& session) {
    return shown(session) && (session.settings().choice.user_kernel ||
                              lattice_view(session).picture()->head.n <= kMostSteps);
}

// The same run in the step view, at the cell in the middle.
void step_here(Session& session) {
    const analysis::Lattice& picture = *lattice_view(session).picture();
    const LatticeView::Place place = *lattice_view(session).focus();
    Choice choice = session.settings().choice;
    if (!choice.user_kernel) {
        choice.shape.n = picture.head.n;
        choice.shape.group = session.settings().lattice.group;
        choice.shape.input = session.settings().lattice.input;
    }
    StepView& step = session.view<StepView>();
    session.show_view<StepView>();
    step.set_grain(Grain::pass);
    if (choice == session.settings().choice)
        step.set_cursor(place.row);
    else
        step.begin_at(place.row);
    session.choose(std::move(choice));
    step.trace_cell(fmt::format("cell {} {}", place.row, place.cell));
    step.show_side("lineage");
}

template <int X, int Y>
void pan(Session& session) {
    lattice_view(session).pan(X * kShare, Y * kShare);
}

constexpr std::array kLatticeCommands{
    Command{"lattice.closer", "PageUp", can_come_closer,
            [](Session& s) { lattice_view(s).zoom(kStep); }},
    Command{"lattice.farther", "PageDown", is_close,
            [](Session& s) { lattice_view(s).zoom(1 / kStep); }},
    Command{"lattice.whole", "Backspace", is_close, [](Session& s) { lattice_view(s).fit(); }},
    Command{"lattice.left", "Shift+Left", is_close, pan<1, 0>},
    Command{"lattice.right", "Shift+Right", is_close, pan<-1, 0>},
    Command{"lattice.up", "Shift+Up", is_close, pan<0, 1>},
    Command{"lattice.down", "Shift+Down", is_close, pan<0, -1>},
    Command{"lattice.result", "Shift+End", shown, to_result},
    Command{"lattice.fault", "X", has_faults, to_next_fault},
    Command{"lattice.step", "Shift+Enter", can_step, step_here},
};

}  // namespace

constinit const ViewType kLatticeView{.id = "lattice",
                                      .create = create_view<LatticeView>,
                                      .commands = kLatticeCommands,
                                      .shows_choice = true,
                                      .view_shape = &Settings::lattice};

}  // namespace lab::session
