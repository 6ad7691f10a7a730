#include <nlohmann/json.hpp>

#include "insight/outcomes.h"

namespace lab {

NLOHMANN_JSON_SERIALIZE_ENUM(Bound, {{Bound::none, nullptr},
                                     {Bound::states, "states"},
                                     {Bound::memory, "memory"}})

void to_json(nlohmann::json& json, const Outcomes& outcomes) {
    nlohmann::json results = nlohmann::json::array();
    for (const PossibleResult& each : outcomes.results) {
        nlohmann::json one = {{"result", each.ending.result},
                              {"fault", each.fault},
                              {"order", machine::text_of(each.turns)},
                              {"turns", each.turns.size()},
                              {"shortest", each.shortest},
                              {"sampled", each.sampled}};
        if (each.ending.right) one["right"] = *each.ending.right;
        results.push_back(std::move(one));
    }
    json = {{"schema", 1},
            {"results", std::move(results)},
            {"complete", outcomes.complete},
            {"cancelled", outcomes.cancelled},
            {"bound", outcomes.bound},
            {"unwritten", outcomes.unwritten},
            {"endless", outcomes.endless},
            {"states", outcomes.states},
            {"bytes", outcomes.bytes},
            {"samples", outcomes.samples},
            {"reduced_launches", outcomes.reduced},
            {"launches", outcomes.launches}};
}

void from_json(const nlohmann::json& json, Outcomes& outcomes) {
    outcomes = {};
    for (const nlohmann::json& one : json.at("results")) {
        PossibleResult each;
        one.at("result").get_to(each.ending.result);
        if (one.contains("right")) each.ending.right = one.at("right").get<bool>();
        one.at("fault").get_to(each.fault);
        each.turns = machine::parse_turns(one.at("order").get<std::string>(), "order");
        one.at("shortest").get_to(each.shortest);
        one.at("sampled").get_to(each.sampled);
        outcomes.results.push_back(std::move(each));
    }
    json.at("complete").get_to(outcomes.complete);
    json.at("cancelled").get_to(outcomes.cancelled);
    json.at("bound").get_to(outcomes.bound);
    json.at("unwritten").get_to(outcomes.unwritten);
    json.at("endless").get_to(outcomes.endless);
    json.at("states").get_to(outcomes.states);
    json.at("bytes").get_to(outcomes.bytes);
    json.at("samples").get_to(outcomes.samples);
    json.at("reduced_launches").get_to(outcomes.reduced);
    json.at("launches").get_to(outcomes.launches);
}

}  // namespace lab
