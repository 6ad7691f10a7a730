#include "analysis/outcomes/witness.h"

#include <array>
#include <nlohmann/json.hpp>

namespace lab::analysis {

const char* name_of(Witness::Verdict verdict) {
    static constexpr std::array<const char*, 6> kNames{"absent", "unknown",   "same",
                                                       "lucky",  "explained", "unexplained"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

const char* name_of(Witness::Origin origin) {
    static constexpr std::array<const char*, 4> kNames{"chosen", "usual", "device", "goes wrong"};
    return kNames.at(static_cast<std::size_t>(origin));
}

void to_json(nlohmann::json& json, const Witness& of) {
    json = {{"verdict", name_of(of.verdict)},
            {"origin", name_of(of.origin)},
            {"device", of.device},
            {"result", of.result},
            {"right", of.right},
            {"rows", of.agreement.rows},
            {"complete", of.complete},
            {"note", of.note},
            {"why", of.why}};
    if (of.agreement.kind == Agreement::Kind::differs ||
        of.agreement.kind == Agreement::Kind::rounding)
        json["differs"] = {{"row", of.agreement.row},
                           {"cell", of.agreement.cell},
                           {"device", of.agreement.device},
                           {"run", of.agreement.machine},
                           {"rounding", of.agreement.kind == Agreement::Kind::rounding}};
    if (of.like_device)
        json["like_device"] = {{"lanes", of.like_device->config.lanes},
                               {"resident", of.like_device->config.resident},
                               {"turns", machine::text_of(of.like_device->turns)}};
}

}  // namespace lab::analysis
