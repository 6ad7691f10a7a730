// Moving about in the lattice.
#include <array>

#include "session/lattice/lattice_view.h"
#include "session/shell/command_groups.h"

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
};

}  // namespace

constinit const ViewType kLatticeView{.id = "lattice",
                                      .create = create_view<LatticeView>,
                                      .commands = kLatticeCommands,
                                      .shows_choice = true,
                                      .view_shape = &Settings::lattice};

}  // namespace lab::session
