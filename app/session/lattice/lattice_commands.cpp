// Moving about in the lattice.
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

constexpr double kStep = 2;      // as close as before, each time
constexpr double kShare = 0.25;  // of the view, each time

bool shown(const Session& session) {
    return session.settings().view == "lattice" && session.lattice().picture() != nullptr;
}
bool can_come_closer(const Session& session) {
    const LatticeView& lattice = session.lattice();
    return shown(session) && lattice.camera().zoom < most_zoom(lattice.frame()) * 0.999;
}
bool is_close(const Session& session) {
    return shown(session) && session.lattice().camera().zoom > 1.001;
}
bool has_faults(const Session& session) {
    if (!shown(session)) return false;
    const analysis::Lattice& picture = *session.lattice().picture();
    return !picture.raced.empty() || !picture.stale.empty();
}

void to_next_fault(Session& session) {
    if (const auto place = session.lattice().next_fault()) session.lattice().go_to(*place);
}
void to_result(Session& session) {
    if (const auto place = session.lattice().result()) session.lattice().go_to(*place);
}

template <int X, int Y>
void pan(Session& session) {
    session.lattice().pan(X * kShare, Y * kShare);
}

constexpr std::array kLatticeCommands{
    Command{"lattice.closer", "PageUp", can_come_closer,
            [](Session& s) { s.lattice().zoom(kStep); }},
    Command{"lattice.farther", "PageDown", is_close,
            [](Session& s) { s.lattice().zoom(1 / kStep); }},
    Command{"lattice.whole", "Backspace", is_close, [](Session& s) { s.lattice().fit(); }},
    Command{"lattice.left", "Shift+Left", is_close, pan<1, 0>},
    Command{"lattice.right", "Shift+Right", is_close, pan<-1, 0>},
    Command{"lattice.up", "Shift+Up", is_close, pan<0, 1>},
    Command{"lattice.down", "Shift+Down", is_close, pan<0, -1>},
    Command{"lattice.result", "Shift+End", shown, to_result},
    Command{"lattice.fault", "X", has_faults, to_next_fault},
};

}  // namespace

std::span<const Command> lattice_commands() {
    return kLatticeCommands;
}

}  // namespace lab::session
