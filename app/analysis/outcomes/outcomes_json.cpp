#include "analysis/outcomes/outcomes.h"
#include "base/json_fields.h"

namespace lab::analysis {

NLOHMANN_JSON_SERIALIZE_ENUM(Bound, {{Bound::none, nullptr},
                                     {Bound::states, "states"},
                                     {Bound::memory, "memory"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SeenCopy::How, {{SeenCopy::How::unknown, "unknown"},
                                             {SeenCopy::How::meanwhile, "meanwhile"},
                                             {SeenCopy::How::unordered, "unordered"}})
LAB_JSON_PAIR(static, to_json, from_json, NLOHMANN_JSON_FROM, IndependentOutcomes, lanes, results,
              complete, same)
LAB_JSON_SOME_FIELDS(Outcomes, complete, cancelled, bound, unwritten, endless, states, bytes,
                     samples, launches, for_these_numbers)

void to_json(nlohmann::json& out, const Outcomes& outcomes) {
    nlohmann::json results = nlohmann::json::array();
    for (const PossibleResult& each : outcomes.results) {
        nlohmann::json one = {
            {"result", each.ending.result},  {"fault", each.fault},
            {"never_ends", each.never_ends}, {"order", machine::text_of(each.turns)},
            {"turns", each.turns.size()},    {"shortest", each.shortest},
            {"sampled", each.sampled}};
        if (each.ending.right) one["right"] = *each.ending.right;
        if (each.instructions > 0) one["instructions"] = each.instructions;
        results.push_back(std::move(one));
    }
    out = {{"schema", 1},
           {"results", std::move(results)},
           {"needs_progress", outcomes.needs_progress},
           {"reduced_launches", outcomes.reduced}};
    put_fields(out, outcomes);
    if (outcomes.independent) out["independent"] = *outcomes.independent;
    if (outcomes.races) out["races"] = *outcomes.races;
    for (const SeenCopy& each : outcomes.copies)
        out["copies"].push_back({{"how", each.how}, {"line", each.line}, {"other", each.other}});
}

void from_json(const nlohmann::json& from, Outcomes& outcomes) {
    outcomes = {};
    for (const nlohmann::json& one : from.at("results")) {
        PossibleResult each;
        one.at("result").get_to(each.ending.result);
        if (one.contains("right")) each.ending.right = one.at("right").get<bool>();
        one.at("fault").get_to(each.fault);
        each.never_ends = one.value("never_ends", false);
        each.turns = machine::parse_turns(one.at("order").get<std::string>(), "order");
        one.at("shortest").get_to(each.shortest);
        one.at("sampled").get_to(each.sampled);
        each.instructions = one.value("instructions", std::uint64_t{0});
        outcomes.results.push_back(std::move(each));
    }
    get_fields(from, outcomes);
    for (const nlohmann::json& one : from.value("copies", nlohmann::json::array()))
        outcomes.copies.push_back({one.at("how").get<SeenCopy::How>(),
                                   one.at("line").get<std::uint32_t>(),
                                   one.at("other").get<std::uint32_t>()});
    if (from.contains("independent"))
        outcomes.independent = from.at("independent").get<IndependentOutcomes>();
    if (from.contains("races")) outcomes.races = from.at("races").get<bool>();
    outcomes.needs_progress = from.value("needs_progress", false);
    from.at("reduced_launches").get_to(outcomes.reduced);
}

}  // namespace lab::analysis
