// The race view's part of the state, and the machine's.
#include <nlohmann/json.hpp>

#include "session/state_parts.h"

namespace lab::session {
namespace {

using nlohmann::json;

json json_of(const std::optional<bool>& known) {
    return known ? json(*known) : json();
}

json ready_json(const Race& race) {
    json made = json::array();
    for (const WarpView* warp : race.ready())
        made.push_back({{"group", warp->group},
                        {"warp", warp->warp},
                        {"line", warp->line},
                        {"array", warp->next ? json(warp->next->array) : json()}});
    return made;
}

json run_json(const Race& race) {
    json made = {{"cursor", race.cursor()},
                 {"length", race.length()},
                 {"turns", text_of_turns(race.turns())},
                 {"ready", ready_json(race)},
                 {"hazards", race.hazards().size()},
                 {"expected", race.expected()},
                 {"fault", race.fault() ? json(*race.fault()) : json()}};
    if (race.ending())
        made["ending"] = {{"result", race.ending()->result},
                          {"right", json_of(race.ending()->right)}};
    return made;
}

json outcomes_json(const RaceDesk& desk) {
    json made = {{"waiting", desk.outcomes().waiting}, {"states", desk.states()}};
    if (desk.outcomes().problem) made["problem"] = *desk.outcomes().problem;
    if (!desk.outcomes().answer) return made;
    json results = json::array();
    for (const PossibleResult& each : desk.outcomes().answer->results)
        results.push_back({{"result", each.ending.result},
                           {"right", json_of(each.ending.right)},
                           {"fault", each.fault},
                           {"turns", text_of_turns(each.turns)}});
    made["results"] = std::move(results);
    made["complete"] = desk.outcomes().answer->complete;
    return made;
}

json trials_json(const RaceDesk& desk) {
    json made = {{"waiting", desk.trials().waiting}};
    if (desk.trials().problem) made["problem"] = *desk.trials().problem;
    if (!desk.trials().answer) return made;
    json results = json::array();
    for (const TrialResult& each : desk.trials().answer->results)
        results.push_back({{"result", each.result}, {"count", each.count}, {"right", each.right}});
    made["results"] = std::move(results);
    return made;
}

}  // namespace

json race_part(const Session& session) {
    const RaceDesk& desk = session.race();
    json made = desk.race() ? run_json(*desk.race()) : json::object();
    made["there"] = desk.race().has_value();
    made["problem"] = desk.problem() ? json(*desk.problem()) : json();
    made["picked"] = desk.picked();
    made["playing"] = desk.playing();
    made["found"] = desk.found() ? json(*desk.found()) : json();
    made["outcomes"] = outcomes_json(desk);
    made["trials"] = trials_json(desk);
    return made;
}

json machine_part(const Session& session) {
    const MachineState& machine = session.machine();
    json made = {{"waiting", machine.waiting},
                 {"version", machine.version},
                 {"problem", machine.problem ? json(*machine.problem) : json()}};
    if (!machine.run) return made;
    made.update({{"actions", machine.run->actions()},
                 {"result", machine.run->passes.result},
                 {"right", machine.run->passes.right},
                 {"hazards", machine.run->hazards.size()}});
    return made;
}

}  // namespace lab::session
