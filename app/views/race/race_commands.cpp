// The race view: whose turn it is, and what can come out.
#include <array>

#include <nlohmann/json.hpp>

#include "base/ranges.h"
#include "session/app_commands.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

constexpr std::uint64_t kTrials = 10'000;

const RaceView& race_view(const Session& session) {
    return session.view<RaceView>();
}
RaceView& race_view(Session& session) {
    return session.view<RaceView>();
}
bool in_race(const Session& session) {
    return session.shows<RaceView>() && race_view(session).race() != nullptr;
}
template <std::size_t Place>
bool has_ready(const Session& session) {
    return in_race(session) && race_view(session).race()->ready().size() > Place;
}
template <std::size_t Place>
void act(Session& session) {
    race_view(session).act_nth(Place);
}
bool has_wrong(const Session& session) {
    const auto& found = race_view(session).now.outcomes.answer;
    return in_race(session) && found && any_of(found->results, [](const auto& each) {
               return each.fault || each.ending.right == false;
           });
}

// The same schedule in the step view, pass by pass.
void step_through(Session& session) {
    RunChoice choice = session.settings().choice;
    choice.machine.order =
        std::string(machine::kTurnsPrefix) + in_a_line(race_view(session).race()->all_turns());
    session.show_view<StepView>();
    session.choose(std::move(choice));
}

constexpr std::array kRaceCommands{
    Command{"race.act", "Enter", has_ready<0>,
            [](Session& s) { race_view(s).act_nth(race_view(s).picked()); }},
    Command{"race.next", "Tab", has_ready<1>, [](Session& s) { race_view(s).pick(1); }},
    Command{"race.previous", "Shift+Tab", has_ready<1>, [](Session& s) { race_view(s).pick(-1); }},
    Command{"race.act_1", "Alt+1", has_ready<0>, act<0>},
    Command{"race.act_2", "Alt+2", has_ready<1>, act<1>},
    Command{"race.act_3", "Alt+3", has_ready<2>, act<2>},
    Command{"race.act_4", "Alt+4", has_ready<3>, act<3>},
    Command{"race.act_5", "Alt+5", has_ready<4>, act<4>},
    Command{"race.act_6", "Alt+6", has_ready<5>, act<5>},
    Command{"race.act_7", "Alt+7", has_ready<6>, act<6>},
    Command{"race.act_8", "Alt+8", has_ready<7>, act<7>},
    Command{"race.act_9", "Alt+9", has_ready<8>, act<8>},
    Command{"race.random", "Q", has_ready<0>, [](Session& s) { race_view(s).act_at_random(); }},
    Command{"race.predict", "Shift+P", in_race,
            [](Session& s) { race_view(s).predicts = !race_view(s).predicts; }},
    Command{"race.whole", "Z", in_race,
            [](Session& s) { race_view(s).closer = race_view(s).closer < 1 ? 1.0F : 0.0F; }},
    Command{"race.find", "F", has_wrong, [](Session& s) { race_view(s).find_wrong(); }},
    Command{"race.show_all", "H",
            [](const Session& s) { return in_race(s) && race_view(s).now.outcomes.answer; },
            [](Session& s) { race_view(s).now.shows_all = !race_view(s).now.shows_all; }},
    Command{"race.step", "E", in_race, step_through},
    Command{"race.mend", "W", in_race, [](Session& s) { race_view(s).mend(); }},
    Command{"race.trials", "D",
            [](const Session& s) { return in_race(s) && !race_view(s).now.trials.waiting; },
            [](Session& s) { race_view(s).run_trials(kTrials); }, true},
    Command{"race.delays", "Alt+D", in_race,
            [](Session& s) { race_view(s).delays = !race_view(s).delays; }, true},
};

constexpr std::array<std::string_view, 4> kTurns{"race.act", "race.act_1", "race.act_2",
                                                 "race.random"};
constexpr std::array<std::string_view, 1> kFind{"race.find"};
constexpr std::array kRaceHints{Hint{"turns", kTurns}, Hint{"find", kFind}};

// The schedule that was chosen by hand, where it is what is seen, and how trials are run.
nlohmann::json save_race(const Session& session) {
    const Race* race = race_view(session).race();
    if (!session.shows<RaceView>() || race == nullptr) return nullptr;
    return {{"turns", in_a_line(race->all_turns())},
            {"cursor", race->cursor()},
            {"delays", race_view(session).delays},
            {"predicts", race_view(session).predicts}};
}

std::function<void(Session&)> read_race(const nlohmann::json& part) {
    if (part.is_null()) return [](Session&) {};
    const auto turns = part.at("turns").get<std::string>();
    const std::uint64_t cursor = saved_count(part, "cursor");
    const bool delays = part.value("delays", false), predicts = part.value("predicts", false);
    (void)machine::parse_turns(turns, "turns");
    return [=](Session& session) {
        race_view(session).delays = delays;
        race_view(session).predicts = predicts;
        session.view<StepView>().after_run(
            [=](Session& ready) { race_view(ready).set_turns(turns, cursor); });
    };
}

}  // namespace

constinit const ViewType kRaceView{.id = "race",
                                   .create = create_view<RaceView>,
                                   .commands = kRaceCommands,
                                   .hints = kRaceHints,
                                   .shows_choice = true,
                                   .shows_kernel = true,
                                   .save = save_race,
                                   .read = read_race};

}  // namespace lab::session
