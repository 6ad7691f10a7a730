// Going through what was run, forward and back.
#include <algorithm>
#include <array>

#include "session/command_groups.h"

namespace lab::session {
namespace {

bool steps(const Session& session) {
    return session.settings().view == "step" && session.step().passes.answer.has_value();
}
bool before_end(const Session& session) {
    return steps(session) &&
           session.step().cursor + 1 < session.step().passes.answer->passes.size();
}
bool after_start(const Session& session) {
    return steps(session) && session.step().cursor > 0;
}
bool in_step(const Session& session) {
    return session.settings().view == "step";
}

constexpr std::array kCommands{
    Command{"step.first", "Home", after_start, [](Session& s) { s.set_cursor(0); }},
    Command{"step.back", "Left", after_start,
            [](Session& s) { s.set_cursor(s.step().cursor - 1); }},
    Command{"step.play", "Space", steps, [](Session& s) { s.play(!s.step().playing); }},
    Command{"step.forward", "Right", before_end,
            [](Session& s) { s.set_cursor(s.step().cursor + 1); }},
    Command{"step.last", "End", before_end, [](Session& s) { s.set_cursor(SIZE_MAX); }},
    Command{"step.speed", "S", in_step,
            [](Session& s) {
                constexpr std::array kSpeeds{0.5, 1.0, 2.0, 4.0};
                const auto now =
                    std::find(kSpeeds.begin(), kSpeeds.end(), s.step().passes_per_second);
                s.set_speed(now >= kSpeeds.end() - 1 ? kSpeeds[0] : *(now + 1));
            }},
};

}  // namespace

std::span<const Command> step_commands() {
    return kCommands;
}

}  // namespace lab::session
