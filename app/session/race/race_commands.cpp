// The race view: whose turn it is, and what can come out.
#include <array>

#include "session/race/race.h"
#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

constexpr std::uint64_t kTrials = 10'000;

bool in_race(const Session& session) {
    return session.settings().view == "race" && session.race().race() != nullptr;
}
template <std::size_t Place>
bool has_ready(const Session& session) {
    return in_race(session) && session.race().race()->ready().size() > Place;
}
template <std::size_t Place>
void act(Session& session) {
    session.race().act_nth(Place);
}
bool has_wrong(const Session& session) {
    if (!in_race(session) || !session.race().outcomes().answer) return false;
    for (const analysis::PossibleResult& each : session.race().outcomes().answer->results)
        if (each.fault || each.ending.right == false) return true;
    return false;
}
bool can_try(const Session& session) {
    return in_race(session) && !session.settings().choice.own && !session.race().trials().waiting;
}

// The same schedule in the step view, pass by pass.
void step_through(Session& session) {
    Choice choice = session.settings().choice;
    choice.machine.order =
        std::string(machine::kTurnsPrefix) + text_of_turns(session.race().race()->all_turns());
    session.set_view("step");
    session.choose(std::move(choice));
}

constexpr std::array kRaceCommands{
    Command{"race.act", "Enter", has_ready<0>,
            [](Session& s) { s.race().act_nth(s.race().picked()); }},
    Command{"race.next", "Tab", has_ready<1>, [](Session& s) { s.race().pick(1); }},
    Command{"race.previous", "Shift+Tab", has_ready<1>, [](Session& s) { s.race().pick(-1); }},
    Command{"race.act_1", "Alt+1", has_ready<0>, act<0>},
    Command{"race.act_2", "Alt+2", has_ready<1>, act<1>},
    Command{"race.act_3", "Alt+3", has_ready<2>, act<2>},
    Command{"race.act_4", "Alt+4", has_ready<3>, act<3>},
    Command{"race.act_5", "Alt+5", has_ready<4>, act<4>},
    Command{"race.act_6", "Alt+6", has_ready<5>, act<5>},
    Command{"race.act_7", "Alt+7", has_ready<6>, act<6>},
    Command{"race.act_8", "Alt+8", has_ready<7>, act<7>},
    Command{"race.act_9", "Alt+9", has_ready<8>, act<8>},
    Command{"race.chance", "Q", has_ready<0>, [](Session& s) { s.race().act_by_chance(); }},
    Command{"race.find", "F", has_wrong, [](Session& s) { s.race().find_wrong(); }},
    Command{"race.step", "E", in_race, step_through},
    Command{"race.trials", "D", can_try, [](Session& s) { s.race().run_trials(kTrials); }},
};

}  // namespace

std::span<const Command> race_commands() {
    return kRaceCommands;
}

}  // namespace lab::session
