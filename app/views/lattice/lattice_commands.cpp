// Moving about in the lattice.
#include <fmt/format.h>

#include <array>

#include "views/lattice/lattice.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

constexpr double kStep = 2;      // as close as before, each time
constexpr double kShare = 0.25;  // of the view, each time

// The one on screen: the lattice view's, or that of a lesson's page; null: there is none.
const LatticePicture* shown_picture(const Session& session) {
    const auto* view = dynamic_cast<const ShowsLattice*>(&session.shown());
    const LatticePicture* picture = view != nullptr ? view->shown_lattice() : nullptr;
    return picture != nullptr && picture->lattice ? picture : nullptr;
}
LatticePicture& picture(Session& session) {
    return const_cast<LatticePicture&>(*shown_picture(session));
}
bool shown(const Session& session) {
    return shown_picture(session) != nullptr;
}
// Presenting a page, their keys reveal more of it.
bool zooms(const Session& session) {
    return shown(session) && !(session.presenting && !session.shows<LatticeView>());
}
bool can_come_closer(const Session& session) {
    return zooms(session) && camera_of(*shown_picture(session)).zoom <
                                 most_zoom(shown_picture(session)->frame) * 0.999;
}
bool is_close(const Session& session) {
    return shown(session) && camera_of(*shown_picture(session)).zoom > 1.001;
}
bool has_faults(const Session& session) {
    const LatticePicture* picture = shown_picture(session);
    return picture != nullptr &&
           (!picture->lattice->raced.empty() || !picture->lattice->stale.empty());
}

// Relative to the target of a running animation, if any; around the middle of the view.
void zoom(Session& session, double factor) {
    LatticePicture& seen = picture(session);
    const LatticeFrame& frame = seen.frame;
    move_to(seen, zoomed(frame, seen.to, factor, frame.width / 2, frame.height / 2));
}
template <int X, int Y>
void pan(Session& session) {
    LatticePicture& seen = picture(session);
    move_to(seen, panned(seen.frame, seen.to, X * kShare * seen.frame.width,
                         Y * kShare * seen.frame.height));
}
void go_to(Session& session, const std::optional<LatticePlace>& place) {
    if (place) move_to(picture(session), *place);
}

// Elements of a picture that can go to the step view; more cannot.
constexpr std::uint64_t kMostSteppable = 1024;

bool can_step(const Session& session) {
    return session.shows<LatticeView>() && shown(session) &&
           (session.settings().choice.user_kernel ||
            shown_picture(session)->lattice->head.n <= kMostSteppable);
}

// The same run in the step view, at the cell in the middle.
void step_here(Session& session) {
    const LatticePicture& seen = picture(session);
    const LatticePlace place = *focus_of(seen);
    RunChoice choice = session.settings().choice;
    if (!choice.user_kernel) {
        choice.shape.n = seen.lattice->head.n;
        choice.shape.group = session.settings().lattice.group;
        choice.shape.input = session.settings().lattice.input;
    }
    StepView& step = session.view<StepView>();
    session.show_view<StepView>();
    step.set_grain(StepUnit::pass);
    if (choice == session.settings().choice)
        step.set_cursor(place.row);
    else
        step.begin_at = place.row;
    session.choose(std::move(choice));
    step.traced = fmt::format("cell {} {}", place.row, place.cell);
    step.side = "lineage";
}

constexpr std::array kLatticeCommands{
    Command{"lattice.closer", "PageUp", can_come_closer, [](Session& s) { zoom(s, kStep); }},
    Command{"lattice.farther", "PageDown", [](const Session& s) { return zooms(s) && is_close(s); },
            [](Session& s) { zoom(s, 1 / kStep); }},
    Command{"lattice.whole", "Backspace", is_close,
            [](Session& s) { move_to(picture(s), LatticeCamera{}); }},
    Command{"lattice.left", "Shift+Left", is_close, pan<1, 0>},
    Command{"lattice.right", "Shift+Right", is_close, pan<-1, 0>},
    Command{"lattice.up", "Shift+Up", is_close, pan<0, 1>},
    Command{"lattice.down", "Shift+Down", is_close, pan<0, -1>},
    Command{"lattice.result", "Shift+End", shown,
            [](Session& s) { go_to(s, result_of(picture(s))); }},
    Command{"lattice.fault", "X", has_faults, [](Session& s) { go_to(s, next_fault(picture(s))); }},
    Command{"lattice.step", "Shift+Enter", can_step, step_here},
};

}  // namespace

constinit const ViewType kLatticeView{.id = "lattice",
                                      .create = create_view<LatticeView>,
                                      .commands = kLatticeCommands,
                                      .shows_choice = true,
                                      .view_shape = &Settings::lattice};

}  // namespace lab::session
