// Going through what was run, forward and back.
#include <algorithm>
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool goes_through(const Session& session) {
    const std::string& view = session.settings().view;
    return (view == "step" || view == "race") && session.last_position() > 0;
}
bool before_end(const Session& session) {
    return goes_through(session) && session.position() < session.last_position();
}
bool after_start(const Session& session) {
    return goes_through(session) && session.position() > 0;
}
bool in_step(const Session& session) {
    return session.settings().view == "step";
}
bool steps_a_run(const Session& session) {
    return in_step(session) || session.settings().view == "race";
}

void next_speed(Session& session) {
    constexpr std::array kSpeeds{0.5, 1.0, 2.0, 4.0};
    const auto now = std::find(kSpeeds.begin(), kSpeeds.end(), session.step().passes_per_second);
    session.set_speed(now >= kSpeeds.end() - 1 ? kSpeeds[0] : *(now + 1));
}

void next_grain(Session& session) {
    const Grain now = session.step().grain;
    session.set_grain(now == Grain::pass   ? Grain::line
                      : now == Grain::line ? Grain::action
                                           : Grain::pass);
}

constexpr std::array kStepCommands{
    Command{"step.first", "Home", after_start, [](Session& s) { s.go_to(0); }},
    Command{"step.back", "Left", after_start, [](Session& s) { s.go_to(s.position() - 1); }},
    Command{"step.play", "Space", goes_through, [](Session& s) { s.play(!s.playing()); }},
    Command{"step.forward", "Right", before_end, [](Session& s) { s.go_to(s.position() + 1); }},
    Command{"step.last", "End", before_end, [](Session& s) { s.go_to(s.last_position()); }},
    Command{"step.speed", "S", steps_a_run, next_speed},
    Command{"step.grain", "A", in_step, next_grain},
    Command{"toggle.broken", "B", steps_a_run, [](Session& s) { s.toggle_broken(); }},
    Command{"toggle.beside", "C", in_step, [](Session& s) { s.set_beside(!s.beside()); }},
};

}  // namespace

std::span<const Command> step_commands() {
    return kStepCommands;
}

}  // namespace lab::session
