#include "measure/request.h"

#include <nlohmann/json.hpp>

namespace lab {

void to_json(nlohmann::json& json, const MeasureRequest& request) {
    json = {{"variants", request.variants},
            {"sizes", request.sizes},
            {"shape", request.shape},
            {"repeat", request.repeat}};
}

void from_json(const nlohmann::json& json, MeasureRequest& request) {
    json.at("variants").get_to(request.variants);
    json.at("sizes").get_to(request.sizes);
    json.at("shape").get_to(request.shape);
    request.repeat = json.value("repeat", 10);
}

}  // namespace lab
