#include "analysis/witness.h"

#include <array>

#include <fmt/format.h>
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

std::string recorded_in(const std::string& order) {
    const std::string remark = fmt::format("{}# ", machine::kTurnsPrefix);
    std::string name = order;
    if (order.starts_with(remark)) {
        name = order.substr(remark.size());
        name = name.substr(0, name.find('\n'));
    }
    return name.starts_with(kRecordedOn) ? name : std::string();
}

void to_json(nlohmann::json& made, const Witness& witness) {
    made = {{"verdict", name_of(witness.verdict)},
            {"origin", name_of(witness.origin)},
            {"device", witness.device},
            {"result", witness.result},
            {"right", witness.right},
            {"rows", witness.agreement.rows},
            {"complete", witness.complete},
            {"note", witness.note},
            {"why", witness.why}};
    if (witness.agreement.kind == Agreement::Kind::differs ||
        witness.agreement.kind == Agreement::Kind::rounding)
        made["differs"] = {{"row", witness.agreement.row},
                           {"cell", witness.agreement.cell},
                           {"device", witness.agreement.device},
                           {"run", witness.agreement.machine},
                           {"rounding", witness.agreement.kind == Agreement::Kind::rounding}};
    if (witness.like_device)
        made["like_device"] = {{"lanes", witness.like_device->config.lanes},
                               {"resident", witness.like_device->config.resident},
                               {"turns", machine::text_of(witness.like_device->turns)}};
}

}  // namespace lab::analysis
