#include <nlohmann/json.hpp>

#include "analysis/races/hazards.h"

namespace lab::analysis {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HazardSide, does, file, line, column, length, text, item, group,
                                   pass, turn, value)

void to_json(nlohmann::json& json, const Hazard& hazard) {
    json = {{"severity", hazard.severity == Hazard::Severity::race ? "race" : "note"},
            {"kinds", hazard.kinds},
            {"could", hazard.could},
            {"across_groups", hazard.across_groups},
            {"update", hazard.update},
            {"note", hazard.note},
            {"launch", hazard.launch},
            {"object", hazard.object},
            {"space", hazard.space},
            {"index", hazard.index},
            {"sides", hazard.sides},
            {"count", hazard.count},
            {"shown", hazard.shown},
            {"times_shown", hazard.times_shown},
            {"time", hazard.time},
            {"what", hazard.what},
            {"why", hazard.why},
            {"hint", hazard.hint},
            {"lockstep_lanes", hazard.lockstep_lanes},
            {"hidden", hazard.hidden},
            {"schedule", hazard.schedule},
            {"schedules", hazard.schedules},
            {"here", hazard.here}};
}

void from_json(const nlohmann::json& json, Hazard& hazard) {
    hazard.severity =
        json.at("severity") == "race" ? Hazard::Severity::race : Hazard::Severity::note;
    json.at("kinds").get_to(hazard.kinds);
    json.at("could").get_to(hazard.could);
    json.at("across_groups").get_to(hazard.across_groups);
    json.at("update").get_to(hazard.update);
    json.at("note").get_to(hazard.note);
    json.at("launch").get_to(hazard.launch);
    json.at("object").get_to(hazard.object);
    json.at("space").get_to(hazard.space);
    json.at("index").get_to(hazard.index);
    json.at("sides").get_to(hazard.sides);
    json.at("count").get_to(hazard.count);
    json.at("shown").get_to(hazard.shown);
    json.at("times_shown").get_to(hazard.times_shown);
    json.at("time").get_to(hazard.time);
    json.at("what").get_to(hazard.what);
    json.at("why").get_to(hazard.why);
    json.at("hint").get_to(hazard.hint);
    json.at("lockstep_lanes").get_to(hazard.lockstep_lanes);
    json.at("hidden").get_to(hazard.hidden);
    json.at("schedule").get_to(hazard.schedule);
    json.at("schedules").get_to(hazard.schedules);
    json.at("here").get_to(hazard.here);
}

}  // namespace lab::analysis
